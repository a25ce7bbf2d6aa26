package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onosproject.net.device.PortDescription;

/** Keeps what it hears, sends each packet back, and fails where a test wants it to. */
class RecordingObserver implements SwitchObserver {

  /** Something heard. */
  sealed interface Heard {
    SwitchConnection connection();
  }

  record Connected(SwitchConnection connection, String thread) implements Heard {}

  record Disconnected(SwitchConnection connection, String reason) implements Heard {}

  record Packet(SwitchConnection connection, PacketIn packetIn) implements Heard {}

  record PortStatus(SwitchConnection connection, PortChange change, PortDescription port)
      implements Heard {}

  record Removed(SwitchConnection connection, FlowRemoved flowRemoved) implements Heard {}

  record Failed(SwitchConnection connection, FlowMod mod, String error) implements Heard {}

  record RoleLost(SwitchConnection connection, String reason) implements Heard {}

  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

  /** Waits for the next event of a type; others before it are dropped. */
  <T extends Heard> T await(Class<T> type) {
    return await(type, event -> true);
  }

  <T extends Heard> T await(Class<T> type, Predicate<T> which) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      Heard event;
      try {
        event = heard.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted", e);
      }
      if (event == null) {
        throw new AssertionError("no " + type.getSimpleName() + " in 20 s");
      }
      if (type.isInstance(event) && which.test(type.cast(event))) {
        return type.cast(event);
      }
    }
  }

  List<Heard> soFar() {
    return List.copyOf(heard);
  }

  @Override
  public void connected(SwitchConnection connection) {
    heard.add(new Connected(connection, Thread.currentThread().getName()));
  }

  @Override
  public void disconnected(SwitchConnection connection, String reason) {
    heard.add(new Disconnected(connection, reason));
  }

  @Override
  public void packetIn(SwitchConnection connection, PacketIn packetIn) {
    heard.add(new Packet(connection, packetIn));
    connection.packetOut(
        new PacketOut(
            PacketIn.NO_BUFFER, packetIn.inPort(), List.of(packetIn.inPort()), packetIn.data()));
  }

  @Override
  public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
    heard.add(new PortStatus(connection, change, port));
  }

  @Override
  public void flowRemoved(SwitchConnection connection, FlowRemoved flowRemoved) {
    heard.add(new Removed(connection, flowRemoved));
  }

  @Override
  public void flowModFailed(SwitchConnection connection, FlowMod mod, String error) {
    heard.add(new Failed(connection, mod, error));
  }

  @Override
  public void roleLost(SwitchConnection connection, String reason) {
    heard.add(new RoleLost(connection, reason));
  }
}
