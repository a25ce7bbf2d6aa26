package io.lockstep.core.probe;

import io.lockstep.core.node.PacketTaps;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.southbound.TableStats;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;

/**
 * A connected switch as a probe uses it. Packets are counted and timed on the connection's event
 * loop, before anybody else hears of them; nobody else does. Used by the probe's thread.
 */
public final class ConnectionTarget implements ProbeTarget, AutoCloseable {
  private static final long MAGIC = 0x4c6f_636b_7374_6570L;
  private static final int PAYLOAD_BYTES = 20;
  private static final long ANSWER_SECONDS = 60;

  /** Packets that did not come back for so long are lost. */
  private static final long QUIET_MILLIS = 300;

  private static final long MAX_PORT = 0xfeff;

  private final SwitchConnection connection;
  private final PacketTaps taps;
  private final LongSupplier nanoClock;
  private final PortNumber port;
  private final PacketTaps.Tap tap = this::take;

  /** The flight that is on; read and written on the event loop, but for its results. */
  private volatile InFlight current = new InFlight(0, false, 0, 0);

  private int flights;

  /**
   * Takes its packets from now on.
   *
   * @throws ProbeException where the switch has no port
   */
  public ConnectionTarget(SwitchConnection connection, PacketTaps taps, LongSupplier nanoClock)
      throws ProbeException {
    this.connection = connection;
    this.taps = taps;
    this.nanoClock = nanoClock;
    this.port = choosePort(connection);
    taps.add(tap);
  }

  private static PortNumber choosePort(SwitchConnection connection) throws ProbeException {
    return connection.ports().stream()
        .map(PortDescription::portNumber)
        .filter(number -> number.toLong() > 0 && number.toLong() <= MAX_PORT)
        .findFirst()
        .orElseThrow(() -> new ProbeException("the switch has no port"));
  }

  /** Takes packets no longer. */
  @Override
  public void close() {
    taps.remove(tap);
  }

  @Override
  public String openFlow() {
    return connection.features().protocol().replace("OpenFlow ", "");
  }

  @Override
  public PortNumber port() {
    return port;
  }

  @Override
  public List<FlowModOutcome> change(List<FlowMod> mods) throws ProbeException {
    List<FlowModOutcome> outcomes = await(connection.flowModsConfirmed(mods), "flow-mods");
    for (FlowModOutcome outcome : outcomes) {
      if (outcome instanceof FlowModOutcome.Unknown unknown) {
        throw new ProbeException("flow-mods were not confirmed: " + unknown.reason());
      }
      if (outcome.equals(new FlowModOutcome.Refused(SwitchErrors.IS_SLAVE))) {
        throw new ProbeException("this node is no longer the switch's master");
      }
    }
    return outcomes;
  }

  @Override
  public List<FlowStats> entries() throws ProbeException {
    Answer<List<FlowStats>> answer = await(connection.flowStats(), "flow statistics");
    if (answer instanceof Answer.Of<List<FlowStats>> read) {
      return read.value();
    }
    throw new ProbeException("no flow statistics: " + ((Answer.None<?>) answer).reason());
  }

  @Override
  public long activeEntries(int table) throws ProbeException {
    Answer<List<TableStats>> answer = await(connection.tableStats(), "table statistics");
    if (answer instanceof Answer.Of<List<TableStats>> read) {
      return read.value().stream()
          .filter(each -> each.tableId() == table)
          .mapToLong(TableStats::activeEntries)
          .findFirst()
          .orElse(-1);
    }
    return -1;
  }

  private static <T> T await(CompletableFuture<T> future, String what) throws ProbeException {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProbeException("the probe was stopped");
    } catch (ExecutionException | TimeoutException e) {
      throw new ProbeException("no answer to " + what + ": " + e);
    }
  }

  @Override
  public Flight fly(Structure structure, PortNumber way, long cookie, int packets)
      throws ProbeException {
    flights++;
    InFlight flight = new InFlight(flights, way.equals(PortNumber.TABLE), cookie, packets);
    CompletableFuture<Integer> sent = new CompletableFuture<>();
    connection.execute(() -> sent.complete(send(flight, structure, way)));
    int count = await(sent, "packet-outs");
    if (count == 0) {
      throw new ProbeException("packets cannot be sent to the switch");
    }
    flight.awaitReturn(count, nanoClock);
    return flight.result(count);
  }

  /** All at once, on the event loop; returns how many the channel took. */
  private int send(InFlight flight, Structure structure, PortNumber way) {
    current = flight;
    for (int number = 0; number < flight.sentNanos.length; number++) {
      ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
      payload.putLong(MAGIC).putLong(flight.id).putInt(number);
      PacketOut out =
          new PacketOut(PacketIn.NO_BUFFER, port, List.of(way), structure.frame(payload.array()));
      flight.sentNanos[number] = nanoClock.getAsLong();
      if (!connection.packetOut(out)) {
        return number;
      }
    }
    return flight.sentNanos.length;
  }

  private boolean take(SwitchConnection from, PacketIn packet) {
    byte[] data = packet.data();
    int payload = data.length - PAYLOAD_BYTES;
    if (from != connection || payload < 0 || ByteBuffer.wrap(data).getLong(payload) != MAGIC) {
      return false;
    }
    ByteBuffer read = ByteBuffer.wrap(data, payload + Long.BYTES, PAYLOAD_BYTES - Long.BYTES);
    InFlight flight = current;
    if (read.getLong() == flight.id && flight.isBack(packet, connection)) {
      flight.returned(read.getInt(), nanoClock.getAsLong());
    }
    return true;
  }

  /** Packets on their way. Written on the event loop, waited for by the probe's thread. */
  private static final class InFlight {
    final long id;
    final boolean throughTables;
    final long cookie;
    final long[] sentNanos;
    private final boolean[] back;
    private int returned;
    private long fastestNanos = Long.MAX_VALUE;
    private long lastNanos;

    InFlight(long id, boolean throughTables, long cookie, int packets) {
      this.id = id;
      this.throughTables = throughTables;
      this.cookie = cookie;
      this.sentNanos = new long[packets];
      this.back = new boolean[packets];
    }

    /** A packet that a miss sent up, not the entry, did not go through the entry. */
    boolean isBack(PacketIn packet, SwitchConnection connection) {
      return !throughTables
          || (packet.reason() != PacketIn.Reason.NO_MATCH
              && (connection.features().isOpenFlow10() || packet.cookie() == cookie));
    }

    synchronized void returned(int number, long nowNanos) {
      if (number < 0 || number >= back.length || back[number]) {
        return;
      }
      back[number] = true;
      returned++;
      fastestNanos = Math.min(fastestNanos, nowNanos - sentNanos[number]);
      lastNanos = nowNanos - sentNanos[0];
      notifyAll();
    }

    /** Until all are back, or none came for a while. */
    synchronized void awaitReturn(int sent, LongSupplier nanoClock) throws ProbeException {
      long quietNanos = TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);
      int before = -1;
      while (returned < sent && returned != before) {
        before = returned;
        long until = nanoClock.getAsLong() + quietNanos;
        while (returned == before && nanoClock.getAsLong() - until < 0) {
          try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, until - nanoClock.getAsLong()));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProbeException("the probe was stopped");
          }
        }
      }
    }

    synchronized Flight result(int sent) {
      return new Flight(sent, returned, returned == 0 ? 0 : fastestNanos, lastNanos);
    }
  }
}
