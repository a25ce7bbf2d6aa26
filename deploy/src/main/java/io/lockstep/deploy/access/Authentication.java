package io.lockstep.deploy.access;

import io.lockstep.core.access.Token;
import io.lockstep.core.access.User;
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

    /** It is not. */
    record Unknown(String error, String remedy) implements Outcome {}
  }

  /**
   * Who sends a request. A token that is shown counts before everything else, so that a program on
   * the node's machine can have a role of its own.
   *
   * @param authorization all headers of this name
   * @param certified the user that the certificate of the connection names; null without one
   * @param loopback whether the connection came over the listener that is for this machine only
   */
  public Outcome of(List<String> authorization, @Nullable Requester certified, boolean loopback) {
    if (authorization.size() > 1) {
      return new Outcome.Unknown("more than one header Authorization", "send one");
    }
    if (authorization.size() == 1) {
      return shown(authorization.get(0));
    }
    if (certified != null) {
      return new Outcome.Known(certified);
    }
    return loopback
        ? new Outcome.Known(Requester.LOCAL)
        : new Outcome.Unknown(
            "the request shows neither a certificate nor a token",
            "use the keys of ./lockstep pki issue, or a token of ./lockstep user add");
  }

  private Outcome shown(String header) {
    return token(header.strip())
        .flatMap(users)
        .<Outcome>map(user -> new Outcome.Known(new Requester(user.name(), user.role())))
        .orElseGet(
            () ->
                new Outcome.Unknown(
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
