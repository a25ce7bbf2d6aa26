package io.lockstep.deploy.process;

/** The version of the product that this process runs. Any thread may ask. */
public final class ProductVersion {
  private ProductVersion() {}

  /**
   * The version that the build wrote into the jar, or {@code development} where the classes do not
   * come from a jar.
   */
  public static String text() {
    String version = ProductVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
