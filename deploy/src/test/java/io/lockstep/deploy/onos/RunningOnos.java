package io.lockstep.deploy.onos;

/** A router for tests of other packages. */
public final class RunningOnos {
  private RunningOnos() {}

  /**
   * A router over {@link FakeNetwork}.
   *
   * @param fails whether its services do
   */
  public static OnosRouter router(boolean fails) {
    FakeNetwork network = new FakeNetwork();
    network.fails = fails;
    return new OnosRouter(network.services());
  }
}
