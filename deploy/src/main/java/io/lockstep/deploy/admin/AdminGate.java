package io.lockstep.deploy.admin;

import io.lockstep.core.access.Role;
import io.lockstep.deploy.access.Authentication;
import io.lockstep.deploy.access.Requester;
import io.lockstep.deploy.access.RequiredRole;
import io.lockstep.deploy.admin.event.EventRequests;
import io.lockstep.store.logging.LogLimit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In front of {@link AdminHandler}: refuses with 403 what a foreign page may have sent, with 401
 * what shows no user, with 403 what the user's role does not allow, and says which connections are
 * in an exchange. Thread-safe.
 */
final class AdminGate extends Handler.Wrapper {
  private static final Logger log = LoggerFactory.getLogger(AdminGate.class);
  private static final int MAX_SHOWN_CHARS = 64;

  /** What a browser says of the page that sends a request (Fetch Metadata). */
  private static final String FETCH_SITE = "Sec-Fetch-Site";

  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  /** The attribute of a request that names its {@link Requester}. */
  static final String REQUESTER = Requester.class.getName();

  /** What a client may answer a 401 with (RFC 9110 section 11.6.1). */
  private static final String CHALLENGE = "Bearer, Basic realm=\"lockstep\"";

  private final AdminConnections connections;
  private final OwnNames names;
  private final LogLimit logLimit;

  /** Knows no user until the node runs. */
  private volatile Authentication authentication = new Authentication(token -> Optional.empty());

  AdminGate(AdminConnections connections, OwnNames names, LogLimit logLimit, Handler handler) {
    super(handler);
    this.connections = connections;
    this.names = names;
    this.logLimit = logLimit;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    connections.exchangeBegins(connection);
    Request.addCompletionListener(request, failure -> connections.exchangeEnds(connection));
    AdminHandler.Refusal refusal = refusal(request);
    int status = 403;
    if (refusal == null) {
      Authentication.Outcome who = authenticate(request);
      if (who instanceof Authentication.Outcome.Known known) {
        refusal = refusal(request, known.requester());
        if (refusal == null) {
          return passes(request, response, callback, known.requester());
        }
      } else {
        Authentication.Outcome.Unknown unknown = (Authentication.Outcome.Unknown) who;
        refusal = new AdminHandler.Refusal(unknown.error(), unknown.remedy());
        status = 401;
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, CHALLENGE);
      }
    }
    String more = logLimit.admit("refused " + Request.getRemoteAddr(request));
    if (more != null) {
      log.warn(
          "admin HTTP: a request of {} was refused: {}{}",
          Request.getRemoteAddr(request),
          refusal.error(),
          more);
    }
    AdminHandler.answer(response, callback, status, refusal);
    return true;
  }

  private boolean passes(Request request, Response response, Callback callback, Requester requester)
      throws Exception {
    request.setAttribute(REQUESTER, requester);
    boolean isHandled = super.handle(request, response, callback);
    if (request.getAttribute(EventRequests.IS_STREAM) != null) {
      connections.streamBegins(request.getConnectionMetaData().getConnection());
    }
    return isHandled;
  }

  /** Knows the users of the cluster from now on. */
  void offer(Authentication users) {
    authentication = users;
  }

  private Authentication.Outcome authenticate(Request request) {
    return authentication.of(
        request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION), null, true);
  }

  private static AdminHandler.@Nullable Refusal refusal(Request request, Requester requester) {
    Role needed =
        RequiredRole.of(request.getMethod(), Request.getPathInContext(request)).orElse(null);
    return needed == null || requester.role().includes(needed)
        ? null
        : new AdminHandler.Refusal(
            requester.name() + " has the role " + requester.role().text(),
            "the request needs the role " + needed.text() + ": ./lockstep user set changes it");
  }

  private AdminHandler.@Nullable Refusal refusal(Request request) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    // The authority is that of the request line where it has one, else the host's.
    String authority = request.getHttpURI().getAuthority();
    if (host == null || !names.includes(host) || !names.includes(authority)) {
      return new AdminHandler.Refusal(
          "not a name of this node's admin HTTP: " + shown(host == null ? "none" : host),
          "use 127.0.0.1 or localhost, or list the name in admin.names");
    }
    String method = request.getMethod();
    List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
    boolean changes = !HttpMethod.GET.is(method) && !HttpMethod.HEAD.is(method);
    if (changes && !OwnNames.mayChange(host, origins)) {
      return new AdminHandler.Refusal(
          "a page of " + shown(String.join(", ", origins)) + " may change nothing here",
          "send the request without the header Origin, from ./lockstep or another program");
    }
    String site = request.getHeaders().get(FETCH_SITE);
    if (changes && site != null && !OWN_SITES.contains(site)) {
      return new AdminHandler.Refusal(
          "a page of another site ("
              + FETCH_SITE
              + ": "
              + shown(site)
              + ") may change nothing here",
          "use ./lockstep or another program");
    }
    return null;
  }

  /** Printable, and short enough for a line. */
  private static String shown(String text) {
    String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() <= MAX_SHOWN_CHARS
        ? printable
        : printable.substring(0, MAX_SHOWN_CHARS) + "...";
  }
}
