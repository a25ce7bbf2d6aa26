package io.lockstep.deploy.status;

import io.lockstep.keys.CallerKeys;
import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.PeerIdentity;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's admin HTTP is, and what the caller shows there. Immutable.
 *
 * @param text as the caller wrote it
 * @param secured whether it is asked with TLS
 * @param node the node's name where the caller gave it; else null
 * @param host with brackets where it is an address of IPv6
 */
public record AdminAddress(
    String text,
    boolean secured,
    @Nullable String node,
    String host,
    int port,
    AdminCredentials credentials) {
  /** Where a node listens for other machines, if its file does not say another. */
  public static final int REMOTE_PORT = 8443;

  private static final Pattern WRITTEN =
      Pattern.compile(
          "(?:(https?)://)?(?:([A-Za-z0-9][A-Za-z0-9_.-]{0,63})@)?"
              + "(\\[[0-9a-fA-F:]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?/?");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1]");

  /**
   * From what people write: {@code HOST:PORT}, {@code http://HOST:PORT}, {@code https://HOST:PORT}
   * or {@code https://NODE@HOST:PORT}.
   *
   * @return empty where it is none of them
   */
  public static Optional<AdminAddress> of(String text, AdminCredentials credentials) {
    Matcher parts = WRITTEN.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    boolean secured = "https".equals(parts.group(1));
    String port = parts.group(4);
    if ((port == null || parts.group(2) != null) && !secured) {
      return Optional.empty();
    }
    int number = port == null ? REMOTE_PORT : Integer.parseInt(port);
    if (number < 1 || number > 65_535) {
      return Optional.empty();
    }
    return Optional.of(
        new AdminAddress(
            text, secured, parts.group(2), String.valueOf(parts.group(3)), number, credentials));
  }

  /**
   * An address without TLS.
   *
   * @param text {@code HOST:PORT}
   */
  static AdminAddress plain(String text) {
    return of(text, AdminCredentials.NONE)
        .orElseThrow(() -> new IllegalArgumentException(text + " is not HOST:PORT"));
  }

  /** Whether what is sent leaves this machine as it is. */
  public boolean isReadableOnTheWay() {
    return !secured && !LOOPBACK.matcher(host).matches();
  }

  /** Whether the caller wrote that it is to be asked without TLS. */
  public boolean isPlainOnPurpose() {
    return text.startsWith("http://");
  }

  /** A connection that has not begun, with what the caller shows. */
  HttpURLConnection connection(String path) throws IOException {
    String url = (secured ? "https://" : "http://") + host + ":" + port + path;
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection https) {
      CallerKeys keys = credentials.keys();
      if (keys == null) {
        throw new IOException(
            "https needs the certificate of the cluster's authority: give --keys DIR, as"
                + " ./lockstep pki issue made it");
      }
      https.setSSLSocketFactory(keys.sockets(host.replaceAll("[\\[\\]]", ""), node));
      // The sockets accept the certificate of that node only, so its names need no second check.
      https.setHostnameVerifier((name, session) -> true);
    }
    if (credentials.token() != null) {
      connection.setRequestProperty("Authorization", "Bearer " + credentials.token());
    }
    return connection;
  }

  /** Why a request failed, with the remedy where there is one. */
  String explain(IOException failure) {
    String says = String.valueOf(failure.getMessage());
    if (!secured) {
      return says.contains("Unexpected end of file")
          ? says + ": where it uses TLS, write https://" + text
          : says;
    }
    LinkFailure why = LinkFailure.of(failure).orElse(null);
    if (why == null) {
      boolean ended = failure instanceof SocketException || says.contains("Unexpected end of file");
      // The reason of a node that refuses a certificate may be lost behind the end.
      return ended && !(failure instanceof ConnectException)
          ? says + ": " + refusedByNode("it may refuse", "; its log says why")
          : says;
    }
    return switch (why.refusal()) {
      case REFUSED_BY_PEER -> refusedByNode("it refuses", ": its log says why");
      case NO_TLS -> "it does not use TLS here: name its admin.remote address, or use http://";
      default -> why.text();
    };
  }

  private String refusedByNode(String refuses, String end) {
    CallerKeys keys = credentials.keys();
    PeerIdentity own = keys == null ? null : keys.own();
    return own == null
        ? refuses + " TLS of this command" + end
        : refuses
            + " the certificate of "
            + own
            + ", number "
            + own.serialText()
            + ", as revoked, expired or another cluster's; its log says which. Make a new one with"
            + " ./lockstep pki renew "
            + own.name();
  }

  /** All of them, for a message. */
  public static String texts(List<AdminAddress> addresses) {
    return addresses.stream().map(AdminAddress::text).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return text;
  }
}
