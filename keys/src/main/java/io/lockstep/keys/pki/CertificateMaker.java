package io.lockstep.keys.pki;

import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes keys, certificates and lists of revoked ones in memory: ECDSA on P-256, which Java, netty's
 * OpenSSL and the one of Open vSwitch all take.
 */
final class CertificateMaker {
  /** Clocks of machines may differ by so much, and a new certificate counts at once. */
  private static final Duration SKEW = Duration.ofHours(1);

  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;
  private static final String ADDRESS = "[0-9.]+|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*";

  private final SecureRandom random;

  CertificateMaker(SecureRandom random) {
    this.random = random;
  }

  KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    return generator.generateKeyPair();
  }

  X509Certificate authority(String cluster, KeyPair keys, Instant now, int days)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name name = name(cluster, "authority", "Lockstep authority of " + cluster);
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            serial(),
            Date.from(now.minus(SKEW)),
            Date.from(now.plus(Duration.ofDays(days))),
            name,
            keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(signer(keys.getPrivate())));
  }

  X509Certificate certificate(
      String cluster,
      IssueOrder order,
      KeyPair keys,
      X509Certificate authority,
      PrivateKey authorityKey,
      Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    Instant end = now.plus(Duration.ofDays(order.days()));
    Instant last = authority.getNotAfter().toInstant();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            authority,
            serial(),
            Date.from(now.minus(SKEW)),
            Date.from(end.isAfter(last) ? last : end),
            name(cluster, order.role().word(), order.name()),
            keys.getPublic());
    JcaX509ExtensionUtils utils = new JcaX509ExtensionUtils();
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(Extension.extendedKeyUsage, false, purposes(order.role()));
    builder.addExtension(Extension.subjectAlternativeName, false, names(cluster, order));
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, utils.createSubjectKeyIdentifier(keys.getPublic()));
    builder.addExtension(
        Extension.authorityKeyIdentifier, false, utils.createAuthorityKeyIdentifier(authority));
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer(authorityKey)));
  }

  X509CRL list(
      X509Certificate authority,
      PrivateKey authorityKey,
      Map<BigInteger, Instant> revoked,
      BigInteger number,
      Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    JcaX509v2CRLBuilder builder = new JcaX509v2CRLBuilder(authority, Date.from(now));
    builder.setNextUpdate(authority.getNotAfter());
    new TreeMap<>(revoked)
        .forEach(
            (serial, when) -> builder.addCRLEntry(serial, Date.from(when), CRLReason.unspecified));
    builder.addExtension(Extension.cRLNumber, false, new CRLNumber(number));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority));
    return new JcaX509CRLConverter().getCRL(builder.build(signer(authorityKey)));
  }

  private static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
    return new JcaContentSignerBuilder(SIGNATURE).build(key);
  }

  private BigInteger serial() {
    return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
  }

  private static X500Name name(String cluster, String unit, String name) {
    return new X500NameBuilder(BCStyle.INSTANCE)
        .addRDN(BCStyle.O, cluster)
        .addRDN(BCStyle.OU, unit)
        .addRDN(BCStyle.CN, name)
        .build();
  }

  private static ExtendedKeyUsage purposes(PeerRole role) {
    return role == PeerRole.NODE || role == PeerRole.SWITCH
        ? new ExtendedKeyUsage(
            new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth})
        : new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
  }

  private static GeneralNames names(String cluster, IssueOrder order) {
    List<GeneralName> names = new ArrayList<>();
    names.add(
        new GeneralName(
            GeneralName.uniformResourceIdentifier,
            PeerIdentity.uri(cluster, order.role(), order.name())));
    for (long dpid : order.dpids()) {
      names.add(
          new GeneralName(
              GeneralName.uniformResourceIdentifier, PeerIdentity.dpidUri(cluster, dpid)));
    }
    for (String host : order.hosts()) {
      names.add(
          new GeneralName(
              host.matches(ADDRESS) ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    return new GeneralNames(names.toArray(new GeneralName[0]));
  }
}
