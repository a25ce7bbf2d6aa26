package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.LinkQuality;
import io.lockstep.dataplane.wire.ManualTime;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Two hosts on one cable of 1 ms, on a clock that moves when told. */
public final class TestHosts implements AutoCloseable {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  public final ManualTime clock = new ManualTime();
  public final EmulatedHost a = host("a", 1);
  public final EmulatedHost b = host("b", 2);
  public final Cable cable =
      new Cable(
          new Cable.End(a, EmulatedHost.PORT),
          new Cable.End(b, EmulatedHost.PORT),
          LinkQuality.ORDINARY.withDelayNanos(Duration.ofMillis(1).toNanos()),
          clock);

  private EmulatedHost host(String name, int number) {
    return new EmulatedHost(
        name,
        new Mac(0x0200_0000_0000L | number),
        new Ipv4(0x0a00_0000 | number),
        loop,
        clock,
        EmulatedHost.FrameTap.NONE);
  }

  /** Waits until the loop of both hosts has done what it was told. */
  public void settle() {
    loop.submit(() -> {}).syncUninterruptibly();
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
