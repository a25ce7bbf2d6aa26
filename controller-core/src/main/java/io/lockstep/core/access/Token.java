package io.lockstep.core.access;

import io.lockstep.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user shows: {@code NAME.SECRET}, where the secret is 256 random bits. The store has only
 * the digest. A secret of that size cannot be guessed, so a plain SHA-256 protects it. Pure.
 *
 * @param user the name
 * @param secret 43 characters of base64url
 */
public record Token(String user, String secret) {
  /** Bytes of a digest. */
  public static final int DIGEST_BYTES = 32;

  private static final int SECRET_BYTES = 32;
  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_-]{43}");

  public Token {
    UserName.require(user);
    if (!SECRET.matcher(secret).matches()) {
      throw new IllegalArgumentException("a secret has 43 characters of base64url");
    }
  }

  /** A new one. */
  public static Token generate(String user, SecureRandom random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return new Token(user, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Reads {@link #text}; empty where it is none. */
  public static Optional<Token> of(String text) {
    int dot = text.lastIndexOf('.');
    return dot < 0 ? Optional.empty() : of(text.substring(0, dot), text.substring(dot + 1));
  }

  /** Of a name and a secret, as HTTP's Basic authentication has them; empty where it is none. */
  public static Optional<Token> of(String user, String secret) {
    return UserName.isValid(user) && SECRET.matcher(secret).matches()
        ? Optional.of(new Token(user, secret))
        : Optional.empty();
  }

  /** {@code NAME.SECRET}; shown to its user once, and kept nowhere. */
  public String text() {
    return user + "." + secret;
  }

  /** What the store keeps: SHA-256 of the secret. */
  public Bytes digest() {
    try {
      return Bytes.wrap(
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "token of " + user;
  }
}
