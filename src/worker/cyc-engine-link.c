/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-engine-link.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <libsoup/soup.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* One connection to the engine of the job's workspace, one request at a time, each retried until it
 * is answered. Engines come and go, and their ports with them; another engine, of another workspace,
 * may get the port of ours. So the sim's token travels only on a connection that has just answered
 * GET /api/health with the right workspace: libsoup opens new ones on its own, and a message that
 * finds itself on one is taken back before a byte of it is sent. */

#define FIRST_DELAY_MS 200
#define LAST_DELAY_MS 10000
/* So often it is looked whether another engine is there meanwhile. */
#define LOOK_MS 1000
/* A request that was answered with a refusal is tried again after this. */
#define REFUSED_DELAY_MS 10000
#define TIMEOUT_S 30
/* Answers to a simulator are small. */
#define MAX_ANSWER (64 * 1024)
#define MAX_ENGINE_FILE (64 * 1024)
/* A sim that was removed says so several times over at least ten seconds, so that no passing fault
 * of an engine ends a simulation of days. */
#define GONE_TIMES 4
#define GONE_US (10 * G_USEC_PER_SEC)
#define GONE_DELAY_MS 3000
/* Connections end for many reasons, and the next one is tried at once. So many in a row have one. */
#define MAX_NEW_CONNECTIONS 3

typedef struct
{
  const char *method;
  char       *what; /* below /api/sims/ID/ */
  const char *content_type;
  GBytes     *body; /* or */
  char       *file;
} Request;

struct _CycEngineLink
{
  GObject         parent_instance;

  const CycJob   *job;
  SoupSession    *session;
  char           *url;           /* of the engine, checked or to be checked */
  gboolean        checked;
  guint64         connection_id; /* that answered the check */
  guint           n_new_connections;
  guint           delay_ms;
  gint64          retry_at;      /* monotonic time */
  guint64         engine_stamp;  /* of the address file, when it was read last; 0: there was none */
  char           *trouble;       /* last one that was said, NULL = all is well */
  guint           n_gone;
  gint64          gone_since;

  GTask          *task;          /* the request under way */
  GCancellable   *attempt;       /* of its present message */
  gulong          cancelled_id;
  SoupMessage    *message;
  gboolean        on_new_connection;
  char           *answer;        /* MAX_ANSWER bytes while one is read */
};

enum
{
  SIGNAL_GONE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycEngineLink, cyc_engine_link, G_TYPE_OBJECT)

static void start_attempt (CycEngineLink *self);
static void wait_on (CycEngineLink *self);

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->what);
  g_free (request->file);
  g_clear_pointer (&request->body, g_bytes_unref);
  g_free (request);
}

static void
cyc_engine_link_finalize (GObject *object)
{
  CycEngineLink *self = CYC_ENGINE_LINK (object);

  g_clear_object (&self->session);
  g_free (self->url);
  g_free (self->trouble);
  g_free (self->answer);
  G_OBJECT_CLASS (cyc_engine_link_parent_class)->finalize (object);
}

static void
cyc_engine_link_class_init (CycEngineLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_engine_link_finalize;

  /**
   * CycEngineLink::gone:
   *
   * The engine of the right workspace says again and again that it does not know the sim.
   */
  signals[SIGNAL_GONE] = g_signal_new ("gone", CYC_TYPE_ENGINE_LINK, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 0);
}

static void
cyc_engine_link_init (CycEngineLink *self)
{
  self->session = soup_session_new_with_options ("max-conns", 1,
                                                 "max-conns-per-host", 1,
                                                 "timeout", TIMEOUT_S,
                                                 "proxy-resolver", NULL,
                                                 "user-agent", "cyclescope-worker/" CYC_VERSION,
                                                 NULL);
}

/**
 * cyc_engine_link_new:
 * @job: the job, which must outlive the link
 *
 * A connection to whatever engine owns the job's workspace. For the main loop of one thread.
 *
 * Returns: (transfer full): the link
 */
CycEngineLink *
cyc_engine_link_new (const CycJob *job)
{
  g_return_val_if_fail (job != NULL, NULL);

  CycEngineLink *self = g_object_new (CYC_TYPE_ENGINE_LINK, NULL);
  self->job = job;
  if (job->tls_database != NULL)
    soup_session_set_tls_database (self->session, job->tls_database);
  self->delay_ms = FIRST_DELAY_MS;
  return self;
}

/* Trouble is said once, not at every try. */
static void
say_trouble (CycEngineLink *self,
             const char    *text)
{
  if (g_strcmp0 (self->trouble, text) != 0 && text != NULL)
    g_message ("%s; trying again", text);
  if (self->trouble != NULL && text == NULL)
    g_message ("the engine answers again");
  g_free (self->trouble);
  self->trouble = g_strdup (text);
}

static gboolean
is_http_url (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && g_uri_get_host (uri)[0] != '\0' &&
         (g_str_equal (g_uri_get_scheme (uri), "http") || g_str_equal (g_uri_get_scheme (uri), "https"));
}

static char *
read_engine_file (const char  *path,
                  const char  *workspace_id,
                  GError     **error)
{
  g_autoptr (JsonNode) root = cyc_json_parse_file (path, MAX_ENGINE_FILE, error);
  if (root == NULL)
    return NULL;
  JsonObject *object = cyc_json_node_get_object (root);
  const char *url = cyc_json_get_string (object, "url");
  if (g_strcmp0 (cyc_json_get_string (object, "workspace_id"), workspace_id) != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "is of another workspace");
      return NULL;
    }
  if (url == NULL)
    cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "url: expected a text");
  return g_strdup (url);
}

/**
 * cyc_engine_link_find_url:
 * @job: a job
 * @error: (nullable): return location for an error
 *
 * Reads where the engine is now: from its address file, or the fixed address where there is none.
 *
 * Returns: (transfer full) (nullable): `http://HOST:PORT`, no slash at the end
 */
char *
cyc_engine_link_find_url (const CycJob  *job,
                          GError       **error)
{
  g_return_val_if_fail (job != NULL, NULL);

  g_autofree char *url = job->url != NULL
                         ? g_strdup (job->url)
                         : read_engine_file (job->engine_file, job->workspace_id, error);
  if (url == NULL)
    return NULL;
  if (!is_http_url (url))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, job->url == NULL ? job->engine_file : NULL, 0,
                        "'%s' is not the address of an engine, expected http://HOST:PORT", url);
      return NULL;
    }
  for (gsize len = strlen (url); len > 0 && url[len - 1] == '/'; len--)
    url[len - 1] = '\0';
  return g_steal_pointer (&url);
}

static void
end_attempt (CycEngineLink *self)
{
  if (self->cancelled_id != 0)
    g_cancellable_disconnect (g_task_get_cancellable (self->task), self->cancelled_id);
  self->cancelled_id = 0;
  g_clear_object (&self->attempt);
  g_clear_object (&self->message);
  g_clear_pointer (&self->answer, g_free);
}

/* Changes with every engine that comes or goes. */
static guint64
read_engine_stamp (CycEngineLink *self)
{
  struct stat st;

  if (self->job->url != NULL || self->job->engine_file == NULL || stat (self->job->engine_file, &st) != 0)
    return 0;
  return (guint64) st.st_mtim.tv_sec * G_USEC_PER_SEC * 1000 + (guint64) st.st_mtim.tv_nsec + st.st_ino;
}

static gboolean
retry_cb (gpointer data)
{
  CycEngineLink *self = data;
  guint64 stamp = read_engine_stamp (self);
  gboolean engine_is_new = stamp != 0 && stamp != self->engine_stamp;

  if (g_task_return_error_if_cancelled (self->task))
    {
      g_clear_object (&self->task);
      return G_SOURCE_REMOVE;
    }
  if (engine_is_new)
    self->delay_ms = FIRST_DELAY_MS;
  if (engine_is_new || g_get_monotonic_time () >= self->retry_at)
    start_attempt (self);
  else
    wait_on (self);
  return G_SOURCE_REMOVE;
}

/* Waits for the next look, or until the caller takes the request back, and goes on from there. */
static void
wait_on (CycEngineLink *self)
{
  GCancellable *cancellable = g_task_get_cancellable (self->task);
  gint64 left = (self->retry_at - g_get_monotonic_time () + 999) / 1000;
  g_autoptr (GSource) source = g_timeout_source_new ((guint) CLAMP (left, 0, LOOK_MS));

  if (cancellable != NULL)
    {
      g_autoptr (GSource) cancelled = g_cancellable_source_new (cancellable);
      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (source, cancelled);
    }
  g_source_set_callback (source, retry_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
}

/* Waits for @ms, or until another engine is there. */
static void
retry_after (CycEngineLink *self,
             guint          ms)
{
  self->retry_at = g_get_monotonic_time () + (gint64) ms * 1000;
  wait_on (self);
}

static void
retry_growing (CycEngineLink *self,
               const char    *trouble)
{
  say_trouble (self, trouble);
  /* Workers that lost the same engine should not all come back in the same moment. */
  retry_after (self, (guint) ((double) self->delay_ms * g_random_double_range (0.8, 1.2)));
  self->delay_ms = MIN (self->delay_ms * 2, LAST_DELAY_MS);
}

static void
lose_connection (CycEngineLink *self)
{
  self->checked = FALSE;
  soup_session_abort (self->session);
}

static void
cancel_attempt_cb (GCancellable *cancellable,
                   gpointer      data)
{
  g_cancellable_cancel (data);
}

static void
begin_attempt (CycEngineLink *self,
               const char    *method,
               const char    *path)
{
  GCancellable *cancellable = g_task_get_cancellable (self->task);
  g_autofree char *url = g_strconcat (self->url, path, NULL);

  self->on_new_connection = FALSE;
  self->attempt = g_cancellable_new ();
  if (cancellable != NULL)
    self->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (cancel_attempt_cb),
                                                g_object_ref (self->attempt), g_object_unref);
  self->message = soup_message_new (method, url);
  soup_message_add_flags (self->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_DO_NOT_USE_AUTH_CACHE);
}

/* Reads the whole answer, as far as it may go. */
static void
read_answer (CycEngineLink       *self,
             GInputStream        *stream,
             GAsyncReadyCallback  callback)
{
  self->answer = g_malloc (MAX_ANSWER);
  g_input_stream_read_all_async (stream, self->answer, MAX_ANSWER, G_PRIORITY_DEFAULT, self->attempt,
                                 callback, g_object_ref (self));
}

static GBytes *
finish_answer (CycEngineLink  *self,
               GObject        *stream,
               GAsyncResult   *result,
               GError        **error)
{
  gsize len;

  if (!g_input_stream_read_all_finish (G_INPUT_STREAM (stream), result, &len, error))
    return NULL;
  if (len == MAX_ANSWER)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "the answer is too long for an engine");
      return NULL;
    }
  return g_bytes_new (self->answer, len);
}

/* The message failed without an answer. */
static void
attempt_failed (CycEngineLink *self,
                const GError  *error)
{
  gboolean on_new_connection = self->on_new_connection;
  g_autofree char *text =
    on_new_connection ? g_strdup_printf ("%s closes the connection on which it says whose engine it is; "
                                         "no token goes to it", self->url)
                      : g_strdup_printf ("cannot reach the engine: %s", error->message);

  end_attempt (self);
  lose_connection (self);
  if (g_task_return_error_if_cancelled (self->task))
    {
      g_clear_object (&self->task);
      return;
    }
  if (on_new_connection && self->n_new_connections <= MAX_NEW_CONNECTIONS)
    {
      start_attempt (self);
      return;
    }
  self->n_new_connections = 0;
  retry_growing (self, text);
}

static gboolean
is_right_workspace (CycEngineLink *self,
                    GBytes        *answer)
{
  gsize len;
  const char *text = g_bytes_get_data (answer, &len);
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);

  return g_strcmp0 (cyc_json_get_string (cyc_json_node_get_object (root), "workspace_id"),
                    self->job->workspace_id) == 0;
}

static void
health_read_cb (GObject      *stream,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (CycEngineLink) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) answer = finish_answer (self, stream, result, &error);

  if (answer == NULL)
    {
      attempt_failed (self, error);
      return;
    }
  guint status = soup_message_get_status (self->message);
  self->connection_id = soup_message_get_connection_id (self->message);
  self->checked = status == 200 && is_right_workspace (self, answer);
  end_attempt (self);
  if (self->checked)
    {
      start_attempt (self);
      return;
    }
  lose_connection (self);
  g_autofree char *text = g_strdup_printf ("%s is not the engine of workspace %s", self->url,
                                           self->job->workspace_id);
  retry_growing (self, text);
}

static void
health_sent_cb (GObject      *session,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (CycEngineLink) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (session), result, &error);

  if (stream == NULL)
    attempt_failed (self, error);
  else
    read_answer (self, stream, health_read_cb);
}

/* Asks whoever is there whose engine it is. No token goes with the question. */
static void
start_check (CycEngineLink *self)
{
  g_autoptr (GError) error = NULL;

  g_free (self->url);
  self->engine_stamp = read_engine_stamp (self);
  self->url = cyc_engine_link_find_url (self->job, &error);
  if (self->url == NULL)
    {
      retry_growing (self, error->message);
      return;
    }
  begin_attempt (self, "GET", "/api/health");
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->attempt,
                           health_sent_cb, g_object_ref (self));
}

/* The last moment before bytes go out; the connection is known now. */
static void
starting_cb (SoupMessage   *message,
             CycEngineLink *self)
{
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  gboolean is_checked = soup_message_get_connection_id (message) == self->connection_id;

  if (!is_checked)
    {
      soup_message_headers_remove (headers, "Authorization");
      self->on_new_connection = TRUE;
      self->n_new_connections++;
      g_cancellable_cancel (self->attempt);
      return;
    }
  g_autofree char *value = g_strconcat ("Bearer ", self->job->token, NULL);
  soup_message_headers_replace (headers, "Authorization", value);
}

/* libsoup would send the message again on another connection, with what is left of its body. */
static void
restarted_cb (SoupMessage   *message,
              CycEngineLink *self)
{
  self->on_new_connection = TRUE;
  self->n_new_connections++;
  g_cancellable_cancel (self->attempt);
}

static void
say_refusal (CycEngineLink *self,
             guint          status,
             GBytes        *answer)
{
  const Request *request = g_task_get_task_data (self->task);
  gsize len;
  const char *text = g_bytes_get_data (answer, &len);
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);
  const char *detail = cyc_json_get_string (cyc_json_node_get_object (root), "detail");
  g_autofree char *said = g_strdup_printf ("the engine answered %u to %s %s: %s", status, request->method,
                                           request->what, detail == NULL ? "no detail" : detail);

  say_trouble (self, said);
}

/* The engine does not know the sim, or its token. */
static void
answered_gone (CycEngineLink *self,
               guint          status,
               GBytes        *answer)
{
  gint64 now = g_get_monotonic_time ();

  say_refusal (self, status, answer);
  if (self->n_gone == 0)
    self->gone_since = now;
  self->n_gone++;
  lose_connection (self); /* whose engine it is is asked anew each time */
  retry_after (self, GONE_DELAY_MS);
  if (self->n_gone >= GONE_TIMES && now - self->gone_since >= GONE_US)
    {
      self->n_gone = 0;
      g_signal_emit (self, signals[SIGNAL_GONE], 0);
    }
}

static gboolean
is_for_the_caller (const Request *request,
                   guint          status)
{
  if (status >= 200 && status < 300)
    return TRUE;
  if (g_str_equal (request->method, "PUT"))
    return status >= 400 && status < 500 && status != 408 && status != 429;
  return status == 409;
}

static void
answer_read_cb (GObject      *stream,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (CycEngineLink) self = data;
  g_autoptr (GError) error = NULL;
  GBytes *answer = finish_answer (self, stream, result, &error);

  if (answer == NULL)
    {
      attempt_failed (self, error);
      return;
    }
  guint status = soup_message_get_status (self->message);
  end_attempt (self);
  self->n_new_connections = 0;
  if (status == 401 || status == 404)
    answered_gone (self, status, answer);
  else if (is_for_the_caller (g_task_get_task_data (self->task), status))
    {
      g_autoptr (GTask) task = g_steal_pointer (&self->task);
      say_trouble (self, NULL);
      self->delay_ms = FIRST_DELAY_MS;
      self->n_gone = 0;
      g_object_set_data (G_OBJECT (task), "status", GUINT_TO_POINTER (status));
      g_task_return_pointer (task, answer, (GDestroyNotify) g_bytes_unref);
      return;
    }
  else
    {
      say_refusal (self, status, answer);
      retry_after (self, status >= 500 ? self->delay_ms : REFUSED_DELAY_MS);
      self->delay_ms = MIN (self->delay_ms * 2, LAST_DELAY_MS);
    }
  g_bytes_unref (answer);
}

static void
request_sent_cb (GObject      *session,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (CycEngineLink) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (session), result, &error);

  if (stream == NULL)
    attempt_failed (self, error);
  else
    read_answer (self, stream, answer_read_cb);
}

/* The body of a file is read while it is sent; its length is that of this moment. */
static gboolean
set_file_body (CycEngineLink  *self,
               const char     *file,
               GError        **error)
{
  struct stat st;
  int fd = open (file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0 || fstat (fd, &st) != 0)
    {
      cyc_error_set_errno (error, errno, file, "cannot open");
      if (fd >= 0)
        close (fd);
      return FALSE;
    }
  g_autoptr (GInputStream) stream = g_unix_input_stream_new (fd, TRUE);
  soup_message_set_request_body (self->message, "application/octet-stream", stream, st.st_size);
  return TRUE;
}

static void
start_attempt (CycEngineLink *self)
{
  const Request *request = g_task_get_task_data (self->task);
  g_autoptr (GError) error = NULL;

  if (!self->checked)
    {
      start_check (self);
      return;
    }
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/%s", self->job->sim_id, request->what);
  begin_attempt (self, request->method, path);
  /* POST counts as unsafe to repeat, and each would get a new connection; ours are all repeatable. */
  soup_message_add_flags (self->message, SOUP_MESSAGE_IDEMPOTENT);
  if (request->file == NULL)
    soup_message_set_request_body_from_bytes (self->message, request->content_type, request->body);
  else if (!set_file_body (self, request->file, &error))
    {
      end_attempt (self);
      g_task_return_error (self->task, g_steal_pointer (&error));
      g_clear_object (&self->task);
      return;
    }
  g_signal_connect_object (self->message, "starting", G_CALLBACK (starting_cb), self, 0);
  g_signal_connect_object (self->message, "restarted", G_CALLBACK (restarted_cb), self, 0);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->attempt,
                           request_sent_cb, g_object_ref (self));
}

static void
start_request (CycEngineLink       *self,
               Request             *request,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  g_assert (self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, start_request);
  g_task_set_task_data (self->task, request, request_free);
  start_attempt (self);
}

/**
 * cyc_engine_link_post_async:
 * @self: a link without a request under way
 * @what: the path below `/api/sims/ID/`
 * @body: JSON
 * @cancellable: (nullable): to take it back
 * @callback: called when it is answered or taken back
 * @user_data: for @callback
 *
 * Sends a request and repeats it until it is answered with success or 409, whatever happens to the
 * engine meanwhile.
 */
void
cyc_engine_link_post_async (CycEngineLink       *self,
                            const char          *what,
                            GBytes              *body,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_return_if_fail (CYC_IS_ENGINE_LINK (self) && what != NULL && body != NULL);

  Request *request = g_new0 (Request, 1);
  request->method = "POST";
  request->content_type = "application/json";
  request->what = g_strdup (what);
  request->body = g_bytes_ref (body);
  start_request (self, request, cancellable, callback, user_data);
}

/**
 * cyc_engine_link_put_async:
 * @self: a link without a request under way
 * @what: the path below `/api/sims/ID/`
 * @file: a regular file that nobody writes any more
 * @cancellable: (nullable): to take it back
 * @callback: called when it is answered or taken back
 * @user_data: for @callback
 *
 * Uploads a file, reading it while it is sent, and repeats that until it is stored or refused for
 * good (another 4xx).
 */
void
cyc_engine_link_put_async (CycEngineLink       *self,
                           const char          *what,
                           const char          *file,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_return_if_fail (CYC_IS_ENGINE_LINK (self) && what != NULL && file != NULL);

  Request *request = g_new0 (Request, 1);
  request->method = "PUT";
  request->what = g_strdup (what);
  request->file = g_strdup (file);
  start_request (self, request, cancellable, callback, user_data);
}

/**
 * cyc_engine_link_put_bytes_async:
 * @self: a link without a request under way
 * @what: the path below `/api/sims/ID/`
 * @body: a text
 * @cancellable: (nullable): to take it back
 * @callback: called when it is answered or taken back
 * @user_data: for @callback
 *
 * As cyc_engine_link_put_async(), for what is in memory.
 */
void
cyc_engine_link_put_bytes_async (CycEngineLink       *self,
                                 const char          *what,
                                 GBytes              *body,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  g_return_if_fail (CYC_IS_ENGINE_LINK (self) && what != NULL && body != NULL);

  Request *request = g_new0 (Request, 1);
  request->method = "PUT";
  request->content_type = "text/plain";
  request->what = g_strdup (what);
  request->body = g_bytes_ref (body);
  start_request (self, request, cancellable, callback, user_data);
}

/**
 * cyc_engine_link_send_finish:
 * @self: a link
 * @result: what the callback got
 * @out_body: (out) (optional) (transfer full): the body of the answer
 * @error: (nullable): return location for an error
 *
 * Errors: %G_IO_ERROR_CANCELLED, and a file that cannot be opened.
 *
 * Returns: the HTTP status, 0 on an error
 */
guint
cyc_engine_link_send_finish (CycEngineLink  *self,
                             GAsyncResult   *result,
                             GBytes        **out_body,
                             GError        **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  g_autoptr (GBytes) body = g_task_propagate_pointer (G_TASK (result), error);
  if (body == NULL)
    return 0;
  if (out_body != NULL)
    *out_body = g_steal_pointer (&body);
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (result), "status"));
}
