/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-log-sender.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/accelsim/cyc-log-chunker.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* Reads the simulator's log as it grows and sends it in numbered chunks. A chunk is frozen before it
 * is sent the first time and sent again unchanged until it is acknowledged. Whatever the engine has
 * not acknowledged is still in the file, so nothing is kept in memory but the chunk under way and,
 * where the log is ahead by a whole chunk, the next one, made while the engine is busy. */

/* How long the file is left alone when it has nothing new: a while that grows with silence. */
#define FIRST_POLL_MS 20
#define LAST_POLL_MS 200
/* A chunk that the engine neither took nor asked for is not sent again at once. */
#define STUCK_MS 5000
/* An engine that went back in time (a workspace from a backup) is followed as far as this. */
#define MAX_ENDS 4096

struct _CycLogSender
{
  CycEngineLink  *link;
  char           *log_path;
  char           *state_path;
  int             fd;
  int             state_fd;
  CycLogSentFunc  func;
  gpointer        user_data;

  guint64         seq;      /* of the next chunk, or of the one under way */
  guint64         offset;   /* where it begins */
  GArray         *ends;     /* of the chunks before it, the last one at the end */
  gboolean        ended;    /* the log does not grow any more */
  gboolean        cancelled;
  gboolean        sending;
  CycLogFrozen    frozen;   /* from freezing to acknowledgement */
  GBytes         *body;     /* its JSON */
  CycLogFrozen    ahead;    /* the one behind it, not noted or sent yet */
  guint64         ahead_seq;
  guint64         ahead_offset;
  guint           ahead_id;
  guint64         replaced;
  guint64         pieces;
  gboolean        read_failed;
  const char     *trouble;  /* why nothing more can be sent, NULL if all is well */

  guint           poll_ms;
  guint           poll_id;
  GCancellable   *cancellable;
};

static void pump (CycLogSender *self);

/**
 * cyc_log_sender_new:
 * @link: the connection to send over, used by nobody else until the log has been sent
 * @log_path: the simulator's log
 * @state_path: where to note what has been frozen (`sent.json`)
 * @func: called once when everything has been sent
 * @user_data: for @func
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a sender that cyc_log_sender_start() sets going
 */
CycLogSender *
cyc_log_sender_new (CycEngineLink  *link,
                    const char     *log_path,
                    const char     *state_path,
                    CycLogSentFunc  func,
                    gpointer        user_data,
                    GError        **error)
{
  g_return_val_if_fail (CYC_IS_ENGINE_LINK (link) && log_path != NULL && state_path != NULL, NULL);

  int fd = open (log_path, O_RDONLY | O_CLOEXEC);
  int state_fd = fd < 0 ? -1 : open (state_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (state_fd < 0)
    {
      cyc_error_set_errno (error, errno, fd < 0 ? log_path : state_path, "cannot open");
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  CycLogSender *self = g_new0 (CycLogSender, 1);
  self->link = g_object_ref (link);
  self->log_path = g_strdup (log_path);
  self->state_path = g_strdup (state_path);
  self->fd = fd;
  self->state_fd = state_fd;
  self->func = func;
  self->user_data = user_data;
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->poll_ms = FIRST_POLL_MS;
  self->cancellable = g_cancellable_new ();
  return self;
}

/**
 * cyc_log_sender_free:
 * @self: (transfer full): a sender that is not sending
 */
void
cyc_log_sender_free (CycLogSender *self)
{
  g_return_if_fail (self != NULL);

  g_clear_handle_id (&self->poll_id, g_source_remove);
  g_clear_handle_id (&self->ahead_id, g_source_remove);
  cyc_log_frozen_clear (&self->ahead);
  close (self->fd);
  close (self->state_fd);
  g_clear_object (&self->link);
  g_clear_object (&self->cancellable);
  g_array_unref (self->ends);
  cyc_log_frozen_clear (&self->frozen);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self->log_path);
  g_free (self->state_path);
  g_free (self);
}

/* Notes which bytes of the log are chunk @seq. The note survives this process; that it survives the
 * machine is not needed, for then the log itself may have lost its end. It is written over in place,
 * always as long: replacing the file would make some file systems write it out each time. */
static void
write_state (CycLogSender *self)
{
  char text[128];
  int len = g_snprintf (text, sizeof text,
                        "{\"next_seq\":%20" G_GUINT64_FORMAT ",\"offset\":%20" G_GUINT64_FORMAT
                        ",\"frozen_end\":%20" G_GUINT64_FORMAT "}\n",
                        self->seq, self->offset, self->offset + self->frozen.raw_len);
  ssize_t n;

  do
    n = pwrite (self->state_fd, text, (gsize) len, 0);
  while (n < 0 && errno == EINTR);
  /* A full disk costs the note, not the log. */
  if (n != len)
    g_debug ("%s: cannot write: %s", self->state_path, g_strerror (errno));
}

static gsize
read_log (CycLogSender *self,
          guint64       offset,
          char         *buffer,
          gsize         size)
{
  gsize len = 0;

  while (len < size)
    {
      ssize_t n = pread (self->fd, buffer + len, size - len, (off_t) (offset + len));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && !self->read_failed)
        {
          self->read_failed = TRUE;
          g_warning ("%s: cannot read: %s; trying again", self->log_path, g_strerror (errno));
        }
      if (n <= 0)
        break;
      self->read_failed = FALSE;
      len += (gsize) n;
    }
  return len;
}

static gboolean
take_ahead (CycLogSender *self)
{
  if (self->ahead.n_lines == 0 || self->ahead_seq != self->seq || self->ahead_offset != self->offset)
    {
      cyc_log_frozen_clear (&self->ahead);
      return FALSE;
    }
  cyc_log_frozen_clear (&self->frozen);
  self->frozen = self->ahead;
  memset (&self->ahead, 0, sizeof self->ahead);
  return TRUE;
}

/* Only where enough of the log is there that the chunk cannot be another one later. */
static gboolean
ahead_cb (gpointer data)
{
  CycLogSender *self = data;

  self->ahead_id = 0;
  if (!self->sending || self->cancelled || self->frozen.n_lines == 0)
    return G_SOURCE_REMOVE;
  g_autofree char *buffer = g_malloc (CYC_LOG_READ_SIZE);
  self->ahead_seq = self->seq + 1;
  self->ahead_offset = self->offset + self->frozen.raw_len;
  gsize len = read_log (self, self->ahead_offset, buffer, CYC_LOG_READ_SIZE);
  if (len == CYC_LOG_READ_SIZE)
    cyc_log_frozen_take (&self->ahead, buffer, len, CYC_LOG_GROWS, self->ahead_seq);
  return G_SOURCE_REMOVE;
}

/* Nothing of what comes now can be put behind what was sent. */
static void
stop_sending (CycLogSender *self,
              const char   *trouble)
{
  self->trouble = trouble;
  g_warning ("%s: %s", self->log_path, trouble);
}

static gboolean
is_cut (CycLogSender *self)
{
  struct stat st;

  return fstat (self->fd, &st) == 0 && (guint64) st.st_size < self->offset;
}

/* Freezes the next chunk if there is one. */
static gboolean
freeze (CycLogSender *self)
{
  if (self->trouble == NULL && is_cut (self))
    stop_sending (self, "somebody cut the simulator's log; lines of it may be missing");
  if (self->trouble != NULL)
    return FALSE;
  if (take_ahead (self))
    {
      self->body = g_string_free_to_bytes (g_steal_pointer (&self->frozen.json));
      return TRUE;
    }
  g_autofree char *buffer = g_malloc (CYC_LOG_READ_SIZE);
  gsize len = read_log (self, self->offset, buffer, CYC_LOG_READ_SIZE);
  CycLogEnd end = self->ended && len < CYC_LOG_READ_SIZE && !self->read_failed ? CYC_LOG_ENDED
                                                                              : CYC_LOG_GROWS;

  if (len == 0 || !cyc_log_frozen_take (&self->frozen, buffer, len, end, self->seq))
    {
      cyc_log_frozen_clear (&self->frozen);
      return FALSE;
    }
  self->body = g_string_free_to_bytes (g_steal_pointer (&self->frozen.json));
  return TRUE;
}

static void
drop_frozen (CycLogSender *self)
{
  cyc_log_frozen_clear (&self->frozen);
  g_clear_pointer (&self->body, g_bytes_unref);
}

static gboolean
poll_cb (gpointer data)
{
  CycLogSender *self = data;

  self->poll_id = 0;
  pump (self);
  return G_SOURCE_REMOVE;
}

static void
poll_later (CycLogSender *self,
            guint         ms)
{
  if (self->poll_id == 0)
    self->poll_id = g_timeout_add (ms, poll_cb, self);
}

static void
remember_end (CycLogSender *self,
              guint64       end)
{
  if (self->ends->len == MAX_ENDS)
    g_array_remove_range (self->ends, 0, MAX_ENDS / 2);
  g_array_append_val (self->ends, end);
}

/* The engine wants chunk @next, which was sent and acknowledged before. */
static gboolean
go_back (CycLogSender *self,
         guint64       next)
{
  guint64 back = self->seq - next;

  if (next == 0)
    {
      self->seq = self->offset = 0;
      g_array_set_size (self->ends, 0);
      return TRUE;
    }
  if (back >= self->ends->len)
    return FALSE;
  g_array_set_size (self->ends, (guint) (self->ends->len - back));
  self->seq = next;
  self->offset = g_array_index (self->ends, guint64, self->ends->len - 1);
  return TRUE;
}

/* What the answer to the chunk under way means: go on behind it, send it again, or go back. Returns
 * FALSE if none of that is possible. */
static gboolean
follow_engine (CycLogSender *self,
               guint64       next)
{
  guint64 end = self->offset + self->frozen.raw_len;

  if (next > self->seq)
    {
      self->replaced += self->frozen.replaced;
      self->pieces += self->frozen.pieces;
      /* What it stands for is not known: going on would send lines twice, or leave some out. */
      if (next > self->seq + 1)
        {
          g_array_set_size (self->ends, 0);
          stop_sending (self, "somebody else sent lines of this simulation; some may be missing");
        }
      remember_end (self, end);
      self->offset = end;
      self->seq = next;
      self->poll_ms = FIRST_POLL_MS;
      drop_frozen (self);
      return TRUE;
    }
  if (next == self->seq)
    return TRUE;
  g_warning ("the engine wants chunk %" G_GUINT64_FORMAT " again: its workspace is older than this run",
             next);
  if (!go_back (self, next))
    {
      g_warning ("chunk %" G_GUINT64_FORMAT " is too long ago to be sent again", next);
      return FALSE;
    }
  drop_frozen (self);
  return TRUE;
}

static gboolean
read_next_seq (GBytes  *answer,
               guint64 *out_next)
{
  gsize len;
  const char *text = g_bytes_get_data (answer, &len);
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);
  gint64 next;

  if (!cyc_json_get_int (cyc_json_node_get_object (root), "next_seq", &next) || next < 0)
    return FALSE;
  *out_next = (guint64) next;
  return TRUE;
}

static void
chunk_sent_cb (GObject      *link,
               GAsyncResult *result,
               gpointer      data)
{
  CycLogSender *self = data;
  g_autoptr (GBytes) answer = NULL;
  g_autoptr (GError) error = NULL;
  guint status = cyc_engine_link_send_finish (CYC_ENGINE_LINK (link), result, &answer, &error);
  guint64 next, seq = self->seq;

  self->sending = FALSE;
  if (status == 0)
    {
      self->func (self->user_data);
      return;
    }
  gboolean answered = read_next_seq (answer, &next);
  /* Success without a number acknowledges just what was sent. */
  if (!answered && status != 409)
    {
      next = self->seq + 1;
      answered = TRUE;
    }
  gboolean followed = answered && follow_engine (self, next);
  if (followed && self->seq > seq)
    pump (self);
  else
    poll_later (self, followed ? LAST_POLL_MS : STUCK_MS);
}

static void
send_frozen (CycLogSender *self)
{
  self->sending = TRUE;
  cyc_engine_link_post_async (self->link, "logs", self->body, self->cancellable, chunk_sent_cb, self);
  /* Idle: when the chunk is out and there is nothing but the answer to wait for. */
  if (self->ahead_id == 0 && self->ahead.n_lines == 0)
    self->ahead_id = g_idle_add (ahead_cb, self);
}

static void
pump (CycLogSender *self)
{
  if (self->sending)
    return;
  g_clear_handle_id (&self->poll_id, g_source_remove);
  if (self->cancelled)
    {
      self->func (self->user_data);
      return;
    }
  if (self->frozen.n_lines > 0)
    {
      send_frozen (self);
      return;
    }
  gboolean found = freeze (self);
  if (found || self->ended)
    write_state (self);
  if (found)
    send_frozen (self);
  else if (self->ended && !self->read_failed)
    self->func (self->user_data);
  else
    {
      poll_later (self, self->poll_ms);
      self->poll_ms = MIN (self->poll_ms * 2, LAST_POLL_MS);
    }
}

/**
 * cyc_log_sender_start:
 * @self: a new sender
 *
 * Begins to follow the log, from the main loop of this thread.
 */
void
cyc_log_sender_start (CycLogSender *self)
{
  g_return_if_fail (self != NULL);

  pump (self);
}

/**
 * cyc_log_sender_finish:
 * @self: a sender
 *
 * Says that the log does not grow any more: what is left is sent, a last line without an end too,
 * and then the function given at the start is called (from the main loop, never from here).
 */
void
cyc_log_sender_finish (CycLogSender *self)
{
  g_return_if_fail (self != NULL);

  self->ended = TRUE;
  if (!self->sending)
    {
      g_clear_handle_id (&self->poll_id, g_source_remove);
      poll_later (self, 0);
    }
}

/**
 * cyc_log_sender_cancel:
 * @self: a sender
 *
 * Gives up: nobody wants the log any more. The function given at the start is called soon, as after
 * cyc_log_sender_finish().
 */
void
cyc_log_sender_cancel (CycLogSender *self)
{
  g_return_if_fail (self != NULL);

  self->cancelled = TRUE;
  if (self->sending)
    {
      g_cancellable_cancel (self->cancellable);
      return;
    }
  g_clear_handle_id (&self->poll_id, g_source_remove);
  poll_later (self, 0);
}

/**
 * cyc_log_sender_get_trouble:
 * @self: a sender
 *
 * Returns: (nullable): why the engine may not have all lines
 */
const char *
cyc_log_sender_get_trouble (CycLogSender *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->trouble;
}

/**
 * cyc_log_sender_get_replaced:
 * @self: a sender
 *
 * Returns: how many bytes of what was sent became U+FFFD
 */
guint64
cyc_log_sender_get_replaced (CycLogSender *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->replaced;
}

/**
 * cyc_log_sender_get_pieces:
 * @self: a sender
 *
 * Returns: how many lines were sent that go on in the next one
 */
guint64
cyc_log_sender_get_pieces (CycLogSender *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->pieces;
}
