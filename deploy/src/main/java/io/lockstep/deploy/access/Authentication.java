package io.lockstep.deploy.access;

import io.lockstep.core.access.Role;
import io.lockstep.core.access.Token;
import io.lockstep.core.access.User;
import io.lockstep.keys.PeerIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sends a request: by a token in its header {@code Authorization} (RFC 6750, or RFC
 * 7617 with the user's name and the secret), by the certificate of its connection, or because it
 * came over loopback. Thread-safe.
 */
public final class Authentication {
  private static final String BEARER = "bearer ";
  private static final String BASIC = "basic ";

  private final Function<Token, Optional<User>> users;

  /**
   * Over the users of the cluster.
   *
   * @param users whose token it is
   */
  public Authentication(Function<Token, Optional<User>> users) {
    this.users = users;
  }

  /** What came out. */
  public sealed interface Outcome {
    /** It is known who sent the request. */
    record Known(Requester requester) implements Outcome {}

    /** It is not, or it is known that it may ask nothing. */
    record Refused(AdminRefusal reason, String error, String remedy) implements Outcome {}
  }

  /**
   * Who sends a request. A token that is shown counts before everything else, so that a program on
   * the node's machine can have a role of its own.
   *
   * @param authorization all headers of this name
   * @param certified whom the certificate of the connection names; null without one
   * @param loopback whether the connection came over the listener that is for this machine only
   */
  public Outcome of(
      List<String> authorization, @Nullable PeerIdentity certified, boolean loopback) {
    if (authorization.size() > 1) {
      return new Outcome.Refused(
          AdminRefusal.UNKNOWN_TOKEN, "more than one header Authorization", "send one");
    }
    if (authorization.size() == 1) {
      return shown(authorization.get(0));
    }
    if (certified != null) {
      return certified(certified);
    }
    return loopback
        ? new Outcome.Known(Requester.LOCAL)
        : new Outcome.Refused(
            AdminRefusal.NO_CREDENTIALS,
            "the request shows neither a certificate nor a token",
            "use the keys of ./lockstep pki issue (--keys), or a token of ./lockstep user add"
                + " (LOCKSTEP_TOKEN)");
  }

  /** People's certificates name their role; those of nodes and switches are for other ports. */
  private static Outcome certified(PeerIdentity peer) {
    return Role.of(peer.role().word())
        .<Outcome>map(role -> new Outcome.Known(new Requester(peer.name(), role)))
        .orElseGet(
            () ->
                new Outcome.Refused(
                    AdminRefusal.WRONG_ROLE,
                    "the certificate is of " + peer + ", and only people may ask here",
                    "make one with ./lockstep pki issue --role read, operate or admin"));
  }

  private Outcome shown(String header) {
    return token(header.strip())
        .flatMap(users)
        .<Outcome>map(user -> new Outcome.Known(new Requester(user.name(), user.role())))
        .orElseGet(
            () ->
                new Outcome.Refused(
                    AdminRefusal.UNKNOWN_TOKEN,
                    "the token is not that of a user",
                    "send Authorization: Bearer TOKEN, with a token of ./lockstep user add"));
  }

  private static Optional<Token> token(String header) {
    String lower = header.toLowerCase(Locale.ROOT);
    if (lower.startsWith(BEARER)) {
      return Token.of(header.substring(BEARER.length()).strip());
    }
    if (!lower.startsWith(BASIC)) {
      return Optional.empty();
    }
    String pair;
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
      pair = new String(decoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int colon = pair.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String user = pair.substring(0, colon);
    String password = pair.substring(colon + 1);
    // The whole token is taken as a password, too: that is what its user was given.
    return Token.of(user, password)
        .or(() -> Token.of(password).filter(token -> token.user().equals(user)));
  }
}
