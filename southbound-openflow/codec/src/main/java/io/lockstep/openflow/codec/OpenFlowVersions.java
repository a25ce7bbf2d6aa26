package io.lockstep.openflow.codec;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** The OpenFlow versions this codec speaks, by the version byte of the header. */
public final class OpenFlowVersions {
  /** All versions that can be negotiated. */
  public static final Set<OFVersion> SUPPORTED =
      Collections.unmodifiableSet(EnumSet.of(OFVersion.OF_10, OFVersion.OF_13));

  private OpenFlowVersions() {}

  /** The supported version with this version byte, or null. */
  public static @Nullable OFVersion supported(int wireVersion) {
    for (OFVersion version : SUPPORTED) {
      if (version.getWireVersion() == wireVersion) {
        return version;
      }
    }
    return null;
  }

  /**
   * The message factory of a version.
   *
   * @throws UnsupportedVersionException for versions not in {@link #SUPPORTED}
   */
  public static OFFactory factory(int wireVersion) throws UnsupportedVersionException {
    OFVersion version = supported(wireVersion);
    if (version == null) {
      throw new UnsupportedVersionException(wireVersion);
    }
    return OFFactories.getFactory(version);
  }

  /** A version byte for people, for example {@code OpenFlow 1.3}. */
  public static String name(int wireVersion) {
    return wireVersion >= 1 && wireVersion <= 6
        ? "OpenFlow 1." + (wireVersion - 1)
        : "OpenFlow wire version " + wireVersion;
  }

  /** The supported versions for people. */
  public static String supportedNames() {
    return SUPPORTED.stream()
        .map(version -> name(version.getWireVersion()))
        .collect(Collectors.joining(", "));
  }
}
