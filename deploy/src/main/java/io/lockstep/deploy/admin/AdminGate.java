package io.lockstep.deploy.admin;

import io.lockstep.core.access.Role;
import io.lockstep.deploy.access.AdminRefusal;
import io.lockstep.deploy.access.Authentication;
import io.lockstep.deploy.access.Requester;
import io.lockstep.deploy.access.RequiredRole;
import io.lockstep.deploy.admin.event.EventRequests;
import io.lockstep.store.logging.LogLimit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
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

  /** Whoever asks what everyone may; nothing else passes with it. */
  private static final Requester NOBODY = new Requester("nobody", Role.READ);

  /** What a client may answer a 401 with (RFC 9110 section 11.6.1). */
  private static final String CHALLENGE = "Bearer, Basic realm=\"lockstep\"";

  private final Map<Connector, Entrance> entrances;
  private final LogLimit logLimit;
  private final Map<AdminRefusal, AtomicLong> refusals = new EnumMap<>(AdminRefusal.class);

  /** Knows no user until the node runs. */
  private volatile Authentication authentication = new Authentication(token -> Optional.empty());

  /**
   * @param entrances every listener of the server
   * @param logLimit of lines about refused requests
   */
  AdminGate(Map<Connector, Entrance> entrances, LogLimit logLimit, Handler handler) {
    super(handler);
    this.entrances = Map.copyOf(entrances);
    this.logLimit = logLimit;
    for (AdminRefusal reason : AdminRefusal.values()) {
      refusals.put(reason, new AtomicLong());
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    Entrance entrance =
        Objects.requireNonNull(entrances.get(request.getConnectionMetaData().getConnector()));
    entrance.connections().exchangeBegins(connection);
    Request.addCompletionListener(
        request, failure -> entrance.connections().exchangeEnds(connection));
    Refused refusal = refusal(request, entrance);
    if (refusal == null) {
      Authentication.Outcome who =
          authentication.of(
              request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION),
              entrance.certified(connection),
              entrance.loopback());
      if (who instanceof Authentication.Outcome.Known known) {
        refusal = refusal(request, known.requester());
        if (refusal == null) {
          return passes(request, response, callback, known.requester(), entrance);
        }
      } else {
        refusal = refusal(request, (Authentication.Outcome.Refused) who);
        if (refusal == null) {
          return passes(request, response, callback, NOBODY, entrance);
        }
      }
    }
    refuse(request, response, callback, refusal);
    return true;
  }

  private void refuse(Request request, Response response, Callback callback, Refused refusal) {
    AtomicLong count = refusals.get(refusal.reason());
    if (count != null) {
      count.incrementAndGet();
    }
    String more = logLimit.admit(refusal.reason().word() + " " + Request.getRemoteAddr(request));
    if (more != null) {
      log.warn(
          "admin HTTP: a request of {} was refused: {}{}",
          Request.getRemoteAddr(request),
          refusal.said().error(),
          more);
    }
    if (refusal.status() == 401) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, CHALLENGE);
    }
    AdminHandler.answer(response, callback, refusal.status(), refusal.said());
  }

  private boolean passes(
      Request request, Response response, Callback callback, Requester requester, Entrance entrance)
      throws Exception {
    request.setAttribute(REQUESTER, requester);
    boolean isHandled = super.handle(request, response, callback);
    if (request.getAttribute(EventRequests.IS_STREAM) != null) {
      entrance.connections().streamBegins(request.getConnectionMetaData().getConnection());
    }
    return isHandled;
  }

  /** Knows the users of the cluster from now on. */
  void offer(Authentication users) {
    authentication = users;
  }

  /** How many requests were refused so far, by {@link AdminRefusal#word}. */
  Map<String, Long> refusals() {
    Map<String, Long> counts = new TreeMap<>();
    refusals.forEach((reason, count) -> counts.put(reason.word(), count.get()));
    return counts;
  }

  private record Refused(AdminRefusal reason, int status, AdminHandler.Refusal said) {}

  /** Null where everyone may send the request: without credentials, but not with wrong ones. */
  private static @Nullable Refused refusal(
      Request request, Authentication.Outcome.Refused refused) {
    boolean isOpen =
        RequiredRole.of(request.getMethod(), Request.getPathInContext(request)).isEmpty();
    if (isOpen && refused.reason() == AdminRefusal.NO_CREDENTIALS) {
      return null;
    }
    return new Refused(
        refused.reason(),
        refused.reason() == AdminRefusal.WRONG_ROLE ? 403 : 401,
        new AdminHandler.Refusal(refused.error(), refused.remedy()));
  }

  private static @Nullable Refused refusal(Request request, Requester requester) {
    Role needed =
        RequiredRole.of(request.getMethod(), Request.getPathInContext(request)).orElse(null);
    if (needed == null || requester.role().includes(needed)) {
      return null;
    }
    return new Refused(
        AdminRefusal.WRONG_ROLE,
        403,
        new AdminHandler.Refusal(
            requester.name() + " has the role " + requester.role().text(),
            "the request needs the role "
                + needed.text()
                + ": ./lockstep user role changes that of a token, ./lockstep pki issue --role makes"
                + " another certificate"));
  }

  private static @Nullable Refused refusal(Request request, Entrance entrance) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    // The authority is that of the request line where it has one, else the host's.
    String authority = request.getHttpURI().getAuthority();
    if (host == null || !entrance.names().includes(host) || !entrance.names().includes(authority)) {
      return foreign(
          AdminRefusal.FOREIGN_NAME,
          "not a name of this node's admin HTTP: " + shown(host == null ? "none" : host),
          "use 127.0.0.1 or localhost, or list the name in admin.names");
    }
    String method = request.getMethod();
    List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
    boolean changes = !HttpMethod.GET.is(method) && !HttpMethod.HEAD.is(method);
    if (changes && !OwnNames.mayChange(entrance.scheme(), host, origins)) {
      return foreign(
          AdminRefusal.FOREIGN_PAGE,
          "a page of " + shown(String.join(", ", origins)) + " may change nothing here",
          "send the request without the header Origin, from ./lockstep or another program");
    }
    String site = request.getHeaders().get(FETCH_SITE);
    if (changes && site != null && !OWN_SITES.contains(site)) {
      return foreign(
          AdminRefusal.FOREIGN_PAGE,
          "a page of another site ("
              + FETCH_SITE
              + ": "
              + shown(site)
              + ") may change nothing here",
          "use ./lockstep or another program");
    }
    return null;
  }

  private static Refused foreign(AdminRefusal reason, String error, String remedy) {
    return new Refused(reason, 403, new AdminHandler.Refusal(error, remedy));
  }

  /** Printable, and short enough for a line. */
  private static String shown(String text) {
    String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() <= MAX_SHOWN_CHARS
        ? printable
        : printable.substring(0, MAX_SHOWN_CHARS) + "...";
  }
}
