package io.lockstep.openflow.codec;

/** An OpenFlow version that this codec does not speak. */
public final class UnsupportedVersionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int wireVersion;

  UnsupportedVersionException(int wireVersion) {
    super(
        OpenFlowVersions.name(wireVersion)
            + " is not supported; supported: "
            + OpenFlowVersions.supportedNames());
    this.wireVersion = wireVersion;
  }

  /** The version byte. */
  public int wireVersion() {
    return wireVersion;
  }
}
