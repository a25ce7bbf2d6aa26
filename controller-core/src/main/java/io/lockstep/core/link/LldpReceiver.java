package io.lockstep.core.link;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.store.logging.LogLimit;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges received LLDP frames and hands what is genuine to {@link LinkDiscovery}. Thread-safe:
 * called on the event loops of many switches. No frame leaves here for an application.
 */
public final class LldpReceiver {
  private static final Logger log = LoggerFactory.getLogger(LldpReceiver.class);

  private final LinkDiscovery discovery;
  private final LongSupplier timeMillis;
  private final LogLimit logLimit;
  private final LongAdder genuine = new LongAdder();
  private final LongAdder foreign = new LongAdder();
  private final LongAdder forged = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder malformed = new LongAdder();

  /**
   * A receiver.
   *
   * @param timeMillis milliseconds since 1970
   */
  public LldpReceiver(LinkDiscovery discovery, LongSupplier timeMillis, LongSupplier nanoTime) {
    this.discovery = discovery;
    this.timeMillis = timeMillis;
    this.logLimit = new LogLimit(nanoTime);
  }

  /** Takes an LLDP frame from a switch that this node masters. Never throws on bad input. */
  public void receive(SwitchConnection connection, PacketIn packet) {
    LldpCodec codec = discovery.codec();
    if (codec == null) {
      foreign.increment();
      return;
    }
    long port = packet.inPort().toLong();
    if (packet.inPort().isLogical() || port <= 0) {
      malformed.increment();
      return;
    }
    SwitchPort here = new SwitchPort(connection.dpid(), port);
    LldpCodec.Verdict verdict = codec.decode(packet.data(), timeMillis.getAsLong());
    LongAdder counter =
        switch (verdict.kind()) {
          case GENUINE -> genuine;
          case FOREIGN -> foreign;
          case FORGED -> forged;
          case STALE -> stale;
          case MALFORMED -> malformed;
        };
    counter.increment();
    if (verdict instanceof LldpCodec.Verdict.Genuine probe) {
      discovery.seen(connection, new DirectedLink(probe.src(), here));
    } else if (verdict instanceof LldpCodec.Verdict.Forged) {
      refused(here, "its HMAC is wrong, so another sender uses the id of this cluster", null);
    } else if (verdict instanceof LldpCodec.Verdict.Stale old) {
      refused(here, "it is replayed, or the nodes' clocks differ", old.skewMillis());
    }
  }

  private void refused(SwitchPort here, String why, @Nullable Long skewMillis) {
    String more = logLimit.admit(here + why);
    if (more != null) {
      log.warn(
          "LLDP at {} ignored: {}{}{}",
          here,
          why,
          skewMillis == null ? "" : " (" + skewMillis + " ms)",
          more);
    }
  }

  /** What came so far. */
  public Counts counts() {
    return new Counts(genuine.sum(), foreign.sum(), forged.sum(), stale.sum(), malformed.sum());
  }

  /** Frames by verdict since the start of the node. */
  public record Counts(long genuine, long foreign, long forged, long stale, long malformed) {
    /** The same by the verdict's name. */
    public Map<String, Long> byVerdict() {
      return Map.of(
          "genuine", genuine,
          "foreign", foreign,
          "forged", forged,
          "stale", stale,
          "malformed", malformed);
    }
  }
}
