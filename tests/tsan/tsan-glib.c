/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>

/* See meson.build here. Each wrapper calls the real function and marks the order that GLib gives:
 * what a thread did before a release is seen by the thread that acquires the same address later. */

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* gcc wants a declaration before a definition; __real_NAME is GLib's function, by the linker. */
#define WRAPPED(type, name, parameters)   \
  type __real_##name parameters;          \
  type __wrap_##name parameters;          \
  type __wrap_##name parameters

/* Blocks that GLib allocates on one thread and frees on another, ordered by what cannot be seen: freeing
 * comes after allocating at least. What was done in between still needs an order of its own. */

int __sanitizer_install_malloc_and_free_hooks (void (*malloc_hook) (const volatile void *, size_t),
                                               void (*free_hook) (const volatile void *));

static void
after_malloc (const volatile void *block,
              size_t               size)
{
  __tsan_release ((void *) block);
}

static void
before_free (const volatile void *block)
{
  if (block != NULL)
    __tsan_acquire ((void *) block);
}

static void __attribute__ ((constructor))
install_hooks (void)
{
  __sanitizer_install_malloc_and_free_hooks (after_malloc, before_free);
}

/* What GLib does to memory itself (copies of texts, blocks that grow) is ordered by what cannot be seen
 * as well. Only its own accesses are left out, not what calls it or is called by it. */
const char *__tsan_default_suppressions (void);

const char *
__tsan_default_suppressions (void)
{
  return "called_from_lib:libglib-2.0.so\n";
}

WRAPPED (void, g_mutex_lock, (GMutex *mutex))
{
  __real_g_mutex_lock (mutex);
  __tsan_acquire (mutex);
}

WRAPPED (gboolean, g_mutex_trylock, (GMutex *mutex))
{
  gboolean locked = __real_g_mutex_trylock (mutex);
  if (locked)
    __tsan_acquire (mutex);
  return locked;
}

WRAPPED (void, g_mutex_unlock, (GMutex *mutex))
{
  __tsan_release (mutex);
  __real_g_mutex_unlock (mutex);
}

WRAPPED (void, g_cond_wait, (GCond *cond, GMutex *mutex))
{
  __tsan_release (mutex);
  __real_g_cond_wait (cond, mutex);
  __tsan_acquire (mutex);
}

WRAPPED (gboolean, g_cond_wait_until, (GCond *cond, GMutex *mutex, gint64 end_time))
{
  __tsan_release (mutex);
  gboolean signalled = __real_g_cond_wait_until (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return signalled;
}

WRAPPED (gboolean, g_once_init_enter, (volatile void *location))
{
  gboolean first = __real_g_once_init_enter (location);
  __tsan_acquire ((void *) location);
  return first;
}

WRAPPED (void, g_once_init_leave, (volatile void *location, gsize result))
{
  __tsan_release ((void *) location);
  __real_g_once_init_leave (location, result);
}

/* Queues: by the queue, not by the item, which may be a number. */

WRAPPED (void, g_async_queue_push, (GAsyncQueue *queue, gpointer data))
{
  __tsan_release (queue);
  __real_g_async_queue_push (queue, data);
}

WRAPPED (void, g_async_queue_push_front, (GAsyncQueue *queue, gpointer data))
{
  __tsan_release (queue);
  __real_g_async_queue_push_front (queue, data);
}

WRAPPED (gpointer, g_async_queue_pop, (GAsyncQueue *queue))
{
  gpointer data = __real_g_async_queue_pop (queue);
  __tsan_acquire (queue);
  return data;
}

WRAPPED (gpointer, g_async_queue_try_pop, (GAsyncQueue *queue))
{
  gpointer data = __real_g_async_queue_try_pop (queue);
  __tsan_acquire (queue);
  return data;
}

WRAPPED (gpointer, g_async_queue_timeout_pop, (GAsyncQueue *queue, guint64 timeout))
{
  gpointer data = __real_g_async_queue_timeout_pop (queue, timeout);
  __tsan_acquire (queue);
  return data;
}

/* Callbacks of sources: from where it was set to where it runs. */

typedef struct
{
  GSourceFunc    func;
  gpointer       data;
  GDestroyNotify notify;
} Call;

static Call *
call_new (GSourceFunc    func,
          gpointer       data,
          GDestroyNotify notify)
{
  Call *call = g_new (Call, 1);
  *call = (Call) { func, data, notify };
  __tsan_release (call);
  return call;
}

static gboolean
call_run (gpointer data)
{
  Call *call = data;
  __tsan_acquire (call);
  gboolean again = call->func (call->data);
  __tsan_release (call);
  return again;
}

static void
call_free (gpointer data)
{
  Call *call = data;
  __tsan_acquire (call);
  if (call->notify != NULL)
    call->notify (call->data);
  g_free (call);
}

WRAPPED (guint, g_idle_add_full, (gint priority, GSourceFunc func, gpointer data, GDestroyNotify notify))
{
  return __real_g_idle_add_full (priority, call_run, call_new (func, data, notify), call_free);
}

WRAPPED (guint, g_idle_add, (GSourceFunc func, gpointer data))
{
  return __real_g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, call_run, call_new (func, data, NULL), call_free);
}

WRAPPED (guint, g_timeout_add_full, (gint priority, guint interval, GSourceFunc func, gpointer data,
                                     GDestroyNotify notify))
{
  return __real_g_timeout_add_full (priority, interval, call_run, call_new (func, data, notify), call_free);
}

WRAPPED (guint, g_timeout_add, (guint interval, GSourceFunc func, gpointer data))
{
  return __real_g_timeout_add_full (G_PRIORITY_DEFAULT, interval, call_run, call_new (func, data, NULL),
                                    call_free);
}

WRAPPED (void, g_main_context_invoke_full, (GMainContext *context, gint priority, GSourceFunc func,
                                            gpointer data, GDestroyNotify notify))
{
  __real_g_main_context_invoke_full (context, priority, call_run, call_new (func, data, notify), call_free);
}

WRAPPED (void, g_main_context_invoke, (GMainContext *context, GSourceFunc func, gpointer data))
{
  __real_g_main_context_invoke_full (context, G_PRIORITY_DEFAULT, call_run, call_new (func, data, NULL),
                                     call_free);
}

/* Only of sources whose callback has the shape of a GSourceFunc. */
WRAPPED (void, g_source_set_callback, (GSource *source, GSourceFunc func, gpointer data,
                                       GDestroyNotify notify))
{
  if (source->source_funcs == &g_idle_funcs || source->source_funcs == &g_timeout_funcs)
    __real_g_source_set_callback (source, call_run, call_new (func, data, notify), call_free);
  else
    __real_g_source_set_callback (source, func, data, notify);
}

/* Tasks: the thread sees what was before, whoever takes the result sees what the thread did. */

typedef struct
{
  GAsyncReadyCallback callback;
  gpointer            data;
} Ready;

static void
ready_run (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Ready *ready = data;

  __tsan_acquire (result);
  ready->callback (source, result, ready->data);
  __tsan_release (result);
}

WRAPPED (GTask *, g_task_new, (gpointer source, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer data))
{
  if (callback == NULL)
    return __real_g_task_new (source, cancellable, NULL, NULL);
  Ready *ready = g_new (Ready, 1);
  *ready = (Ready) { callback, data };
  return __real_g_task_new (source, cancellable, ready_run, ready);
}

/* The data goes with the task, on whatever thread lets go of it last. */
typedef struct
{
  GTask         *task;
  gpointer       data;
  GDestroyNotify destroy;
} TaskData;

static void
task_data_free (gpointer box)
{
  g_autofree TaskData *self = box;

  __tsan_acquire (self->task);
  if (self->destroy != NULL)
    self->destroy (self->data);
}

WRAPPED (void, g_task_set_task_data, (GTask *task, gpointer data, GDestroyNotify destroy))
{
  TaskData *box = g_new (TaskData, 1);
  *box = (TaskData) { task, data, destroy };
  g_object_set_data_full (G_OBJECT (task), "tsan-data", box, task_data_free);
  __real_g_task_set_task_data (task, data, NULL);
}

static GTaskThreadFunc
get_task_func (GTask *task)
{
  return (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "tsan-func");
}

static void
run_task (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  __tsan_acquire (task);
  get_task_func (task) (task, source, data, cancellable);
  __tsan_release (task);
}

WRAPPED (void, g_task_run_in_thread, (GTask *task, GTaskThreadFunc func))
{
  g_object_set_data (G_OBJECT (task), "tsan-func", (gpointer) func);
  __tsan_release (task);
  __real_g_task_run_in_thread (task, run_task);
}

#define WRAPPED_TASK_END(name, type)                                  \
  WRAPPED (type, g_task_propagate_##name, (GTask *task, GError **error)) \
  {                                                                   \
    __tsan_acquire (task);                                            \
    return __real_g_task_propagate_##name (task, error);              \
  }

WRAPPED_TASK_END (boolean, gboolean)
WRAPPED_TASK_END (int, gssize)
WRAPPED_TASK_END (pointer, gpointer)

WRAPPED (void, g_task_return_pointer, (GTask *task, gpointer result, GDestroyNotify destroy))
{
  __tsan_release (task);
  __real_g_task_return_pointer (task, result, destroy);
}

WRAPPED (void, g_task_return_boolean, (GTask *task, gboolean result))
{
  __tsan_release (task);
  __real_g_task_return_boolean (task, result);
}

WRAPPED (void, g_task_return_int, (GTask *task, gssize result))
{
  __tsan_release (task);
  __real_g_task_return_int (task, result);
}

WRAPPED (void, g_task_return_error, (GTask *task, GError *error))
{
  __tsan_release (task);
  __real_g_task_return_error (task, error);
}

/* Pools: the thread sees what was before the push, whoever frees the pool what its threads did. */

typedef struct
{
  GFunc    func;
  gpointer data;
} PoolCall;

static void
pool_run (gpointer item,
          gpointer data)
{
  PoolCall *call = data;

  __tsan_acquire (item);
  call->func (item, call->data);
  __tsan_release (call);
}

WRAPPED (GThreadPool *, g_thread_pool_new_full, (GFunc func, gpointer data, GDestroyNotify item_free,
                                                 gint max_threads, gboolean exclusive, GError **error))
{
  PoolCall *call = g_new (PoolCall, 1);
  *call = (PoolCall) { func, data };
  __tsan_release (call);
  return __real_g_thread_pool_new_full (pool_run, call, item_free, max_threads, exclusive, error);
}

WRAPPED (GThreadPool *, g_thread_pool_new, (GFunc func, gpointer data, gint max_threads,
                                            gboolean exclusive, GError **error))
{
  return __wrap_g_thread_pool_new_full (func, data, NULL, max_threads, exclusive, error);
}

WRAPPED (gboolean, g_thread_pool_push, (GThreadPool *pool, gpointer item, GError **error))
{
  __tsan_release (item);
  return __real_g_thread_pool_push (pool, item, error);
}

WRAPPED (void, g_thread_pool_free, (GThreadPool *pool, gboolean immediate, gboolean wait))
{
  PoolCall *call = pool->user_data;
  __real_g_thread_pool_free (pool, immediate, wait);
  __tsan_acquire (call);
  if (wait)
    g_free (call);
}

/* Reference counts: the last to let go has seen what all the others did. */

static void
let_go (gconstpointer object)
{
  __tsan_release ((void *) object);
  __tsan_acquire ((void *) object);
}

WRAPPED (void, g_object_unref, (gpointer object))
{
  let_go (object);
  __real_g_object_unref (object);
}

WRAPPED (void, g_ptr_array_unref, (GPtrArray *array))
{
  let_go (array);
  __real_g_ptr_array_unref (array);
}

WRAPPED (void, g_bytes_unref, (GBytes *bytes))
{
  if (bytes != NULL)
    let_go (bytes);
  __real_g_bytes_unref (bytes);
}

WRAPPED (void, g_atomic_rc_box_release, (gpointer box))
{
  let_go (box);
  __real_g_atomic_rc_box_release (box);
}

WRAPPED (void, g_atomic_rc_box_release_full, (gpointer box, GDestroyNotify clear))
{
  let_go (box);
  __real_g_atomic_rc_box_release_full (box, clear);
}

WRAPPED (gboolean, g_atomic_ref_count_dec, (gatomicrefcount *count))
{
  let_go (count);
  return __real_g_atomic_ref_count_dec (count);
}
