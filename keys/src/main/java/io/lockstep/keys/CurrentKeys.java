package io.lockstep.keys;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives engines of the JDK the certificate and key that are current when a handshake begins. The
 * alias is the certificate's serial number, so that a key that changes during a handshake is
 * noticed: the handshake then fails, and the peer dials again. Thread-safe.
 */
final class CurrentKeys extends X509ExtendedKeyManager {
  private final Supplier<KeyMaterial> current;

  CurrentKeys(Supplier<KeyMaterial> current) {
    this.current = current;
  }

  private static String alias(KeyMaterial material) {
    return material.own().serialText();
  }

  private @Nullable String aliasFor(@Nullable String... keyTypes) {
    KeyMaterial material = current.get();
    boolean fits = Arrays.asList(keyTypes).contains(material.privateKey().getAlgorithm());
    return fits ? alias(material) : null;
  }

  private @Nullable KeyMaterial of(String alias) {
    KeyMaterial material = current.get();
    return alias(material).equals(alias) ? material : null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return aliasFor(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return aliasFor(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyType);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = aliasFor(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return getClientAliases(keyType, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    KeyMaterial material = of(alias);
    return material == null ? null : new X509Certificate[] {material.certificate()};
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    KeyMaterial material = of(alias);
    return material == null ? null : material.privateKey();
  }
}
