package io.lockstep.keys;

import java.math.BigInteger;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** A certificate that has only alternative names, all of them URIs. */
@SuppressWarnings({"deprecation", "JavaUtilDate"}) // what the base class demands
final class NamedCertificate extends X509Certificate {
  private static final long serialVersionUID = 1L;

  private final String[] uris;

  NamedCertificate(String... uris) {
    this.uris = uris.clone();
  }

  @Override
  public Collection<List<?>> getSubjectAlternativeNames() {
    return Arrays.stream(uris).<List<?>>map(uri -> List.of(6, uri)).toList();
  }

  @Override
  public BigInteger getSerialNumber() {
    return BigInteger.ONE;
  }

  @Override
  public Date getNotBefore() {
    return new Date(0);
  }

  @Override
  public Date getNotAfter() {
    return new Date(0);
  }

  @Override
  public void checkValidity() {}

  @Override
  public void checkValidity(Date date) {}

  @Override
  public int getVersion() {
    return 3;
  }

  @Override
  public Principal getIssuerDN() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Principal getSubjectDN() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getTBSCertificate() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getSignature() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getSigAlgName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getSigAlgOID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getSigAlgParams() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getIssuerUniqueID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getSubjectUniqueID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getKeyUsage() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getBasicConstraints() {
    return -1;
  }

  @Override
  public byte[] getEncoded() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void verify(PublicKey key) {}

  @Override
  public void verify(PublicKey key, String provider) {}

  @Override
  public String toString() {
    return String.join(" ", uris);
  }

  @Override
  public PublicKey getPublicKey() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return false;
  }

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public byte[] getExtensionValue(String oid) {
    throw new UnsupportedOperationException();
  }
}
