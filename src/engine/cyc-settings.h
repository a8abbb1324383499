/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycSettings CycSettings;

/**
 * CycSimulatorSetting:
 * @name: the name that the user gave it
 * @root: (nullable): the framework's folder
 * @executable: (nullable): the simulator's program
 * @env: `NAME=value` pairs added to its environment, never %NULL
 */
typedef struct
{
  char  *name;
  char  *root;
  char  *executable;
  GStrv  env;
} CycSimulatorSetting;

CycSettings         *cyc_settings_load             (const char           *workspace,
                                                    GError              **error);
gboolean             cyc_settings_save             (CycSettings          *self,
                                                    GError              **error);
void                 cyc_settings_free             (CycSettings          *self);
guint                cyc_settings_get_parallel     (CycSettings          *self);
guint                cyc_settings_get_limit        (CycSettings          *self);
gboolean             cyc_settings_set_limit        (CycSettings          *self,
                                                    guint                 limit,
                                                    GError              **error);
GStrv                cyc_settings_get_config_roots (CycSettings          *self);
void                 cyc_settings_set_config_roots (CycSettings          *self,
                                                    const char *const    *roots);
GStrv                cyc_settings_list_simulators  (CycSettings          *self);
CycSimulatorSetting *cyc_settings_get_simulator    (CycSettings          *self,
                                                    const char           *name);
gboolean             cyc_settings_add_simulator    (CycSettings          *self,
                                                    const char           *name,
                                                    const char           *root,
                                                    const char           *executable,
                                                    const char *const    *env,
                                                    GError              **error);
gboolean             cyc_settings_put_simulator    (CycSettings          *self,
                                                    const CycSimulatorSetting *setting,
                                                    GError              **error);
gboolean             cyc_settings_remove_simulator (CycSettings          *self,
                                                    const char           *name,
                                                    GError              **error);
void                 cyc_simulator_setting_free    (CycSimulatorSetting  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSettings, cyc_settings_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimulatorSetting, cyc_simulator_setting_free)

G_END_DECLS
