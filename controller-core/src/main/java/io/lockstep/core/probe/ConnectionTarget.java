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
import org.jspecify.annotations.Nullable;
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

  /** Packets that did not come back so long behind a marker are lost. */
  private static final long QUIET_MILLIS = 300;

  /** Markers that are sent, each waited for twice as long as the one before: 9.3 s in all. */
  private static final int MARKERS = 4;

  /** Requests that are made, where the switch stays connected and does not answer in time. */
  private static final int ASKED = 3;

  private static final long MAX_PORT = 0xfeff;

  private final SwitchConnection connection;
  private final PacketTaps taps;
  private final LongSupplier nanoClock;
  private final PortNumber port;
  private final PacketTaps.Tap tap = this::take;

  /** The flight that is on, or the last; null before the first. */
  private volatile @Nullable InFlight current;

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
  public long nanos() {
    return nanoClock.getAsLong();
  }

  /** An add or a strict delete that is sent once more changes nothing more. */
  @Override
  public List<FlowModOutcome> change(List<FlowMod> mods) throws ProbeException {
    String reason = "";
    for (int asked = 0; asked < ASKED; asked++) {
      List<FlowModOutcome> outcomes = await(connection.flowModsConfirmed(mods), "flow-mods");
      if (outcomes.contains(new FlowModOutcome.Refused(SwitchErrors.IS_SLAVE))) {
        throw ProbeException.interrupted("this node is no longer the switch's master");
      }
      reason = "";
      for (FlowModOutcome outcome : outcomes) {
        if (outcome instanceof FlowModOutcome.Unknown unknown) {
          reason = unknown.reason();
        }
      }
      if (reason.isEmpty()) {
        return outcomes;
      }
    }
    throw ProbeException.interrupted("flow-mods were not confirmed: " + reason);
  }

  @Override
  public List<FlowStats> entries() throws ProbeException {
    String reason = "";
    for (int asked = 0; asked < ASKED; asked++) {
      Answer<List<FlowStats>> answer = await(connection.flowStats(), "flow statistics");
      if (answer instanceof Answer.Of<List<FlowStats>> read) {
        return read.value();
      }
      reason = ((Answer.None<?>) answer).reason();
    }
    throw ProbeException.interrupted("no flow statistics: " + reason);
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
      throw ProbeException.interrupted("no answer to " + what + ": " + e);
    }
  }

  @Override
  public Flight fly(Structure structure, long cookie, int through, int straight)
      throws ProbeException {
    if (through < 0 || straight < 1) {
      throw new IllegalArgumentException(through + " through, " + straight + " straight");
    }
    flights++;
    InFlight flight = new InFlight(flights, cookie, through, straight, nanoClock);
    current = flight;
    send(flight, structure, flight.packets());
    long quietMillis = QUIET_MILLIS;
    for (int markers = 0; !flight.awaitQuiet(quietMillis) && markers < MARKERS; markers++) {
      send(flight, structure, 1);
      quietMillis *= 2;
    }
    if (!flight.anySent()) {
      throw ProbeException.interrupted("packets cannot be sent to the switch");
    }
    return flight.result();
  }

  /** All at once, on the event loop, as far as the channel takes them. */
  private void send(InFlight flight, Structure structure, int packets) throws ProbeException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    connection.execute(
        () -> {
          for (int i = 0; i < packets; i++) {
            send(flight, structure);
          }
          done.complete(null);
        });
    await(done, "packet-outs");
  }

  private void send(InFlight flight, Structure structure) {
    int number = flight.sending();
    ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
    payload.putLong(MAGIC).putLong(flight.id).putInt(number);
    PortNumber way = flight.goesThrough(number) ? PortNumber.TABLE : PortNumber.CONTROLLER;
    PacketOut out =
        new PacketOut(PacketIn.NO_BUFFER, port, List.of(way), structure.frame(payload.array()));
    if (connection.packetOut(out)) {
      flight.sent(number);
    }
  }

  private boolean take(SwitchConnection from, PacketIn packet) {
    byte[] data = packet.data();
    int payload = data.length - PAYLOAD_BYTES;
    if (from != connection || payload < 0 || ByteBuffer.wrap(data).getLong(payload) != MAGIC) {
      return false;
    }
    ByteBuffer read = ByteBuffer.wrap(data, payload + Long.BYTES, PAYLOAD_BYTES - Long.BYTES);
    InFlight flight = current;
    if (flight != null && read.getLong() == flight.id) {
      flight.arrived(read.getInt(), packet, !connection.features().isOpenFlow10());
    }
    return true;
  }
}
