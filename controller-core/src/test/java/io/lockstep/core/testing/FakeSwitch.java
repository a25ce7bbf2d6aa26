package io.lockstep.core.testing;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableStats;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;

/** A switch that writes down what it is told; its event loop is the caller, or one given. */
public final class FakeSwitch implements SwitchConnection {
  public final List<PacketOut> packetOuts = new CopyOnWriteArrayList<>();
  public final List<FlowMod> flowMods = new CopyOnWriteArrayList<>();
  public final List<FlowMod> confirmed = new CopyOnWriteArrayList<>();
  public final List<FlowStats> entries = new CopyOnWriteArrayList<>();
  public Consumer<PacketOut> onPacketOut = out -> {};
  public volatile Function<FlowMod, FlowModOutcome> onConfirmed =
      mod -> new FlowModOutcome.Installed();
  public Supplier<CompletableFuture<Answer<List<FlowStats>>>> onFlowStats =
      () -> CompletableFuture.completedFuture(new Answer.Of<>(List.copyOf(entries())));
  public Supplier<CompletableFuture<Answer<List<PortStats>>>> onPortStats =
      () -> CompletableFuture.completedFuture(new Answer.Of<>(List.of()));
  public Supplier<CompletableFuture<Answer<List<TableStats>>>> onTableStats =
      () -> CompletableFuture.completedFuture(new Answer.Of<>(List.of()));
  public TableClaims claims = TableClaims.none("it was not asked");
  public CompletableFuture<Boolean> sign = CompletableFuture.completedFuture(true);
  public int signsAsked;
  public String protocol = "OpenFlow 1.3";
  public boolean open = true;
  public boolean full;

  private final Executor loop;
  private final long dpid;
  private final DeviceId deviceId;
  private final TreeMap<Long, PortDescription> ports = new TreeMap<>();

  /** A switch whose ports 1 to {@code portCount} are up. */
  public FakeSwitch(long dpid, int portCount) {
    this(dpid, portCount, Runnable::run);
  }

  /** The same with an event loop. */
  public FakeSwitch(long dpid, int portCount, Executor loop) {
    this.loop = loop;
    this.dpid = dpid;
    this.deviceId = SwitchPort.device(dpid);
    for (long port = 1; port <= portCount; port++) {
      setPort(port, true);
    }
  }

  /** Sets a port up or down; gives what a port status would say. */
  public PortDescription setPort(long port, boolean up) {
    PortDescription description =
        DefaultPortDescription.builder()
            .withPortNumber(PortNumber.portNumber(port))
            .isEnabled(up)
            .build();
    ports.put(port, description);
    return description;
  }

  @Override
  public DeviceId deviceId() {
    return deviceId;
  }

  @Override
  public long dpid() {
    return dpid;
  }

  @Override
  public SwitchFeatures features() {
    return new SwitchFeatures(protocol, "127.0.0.1:1", "m", "h", "s", "n", "d", 0, 1);
  }

  @Override
  public List<PortDescription> ports() {
    return List.copyOf(ports.values());
  }

  @Override
  public @Nullable PortDescription port(long number) {
    return ports.get(number);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public CompletableFuture<RoleOutcome> requestRole(SwitchRole role, long generationId) {
    return CompletableFuture.completedFuture(new RoleOutcome.Granted(role, generationId));
  }

  @Override
  public boolean packetOut(PacketOut packetOut) {
    if (full) {
      return false;
    }
    packetOuts.add(packetOut);
    onPacketOut.accept(packetOut);
    return true;
  }

  @Override
  public boolean flowMods(List<FlowMod> mods) {
    return !full && flowMods.addAll(mods);
  }

  @Override
  public CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods) {
    confirmed.addAll(mods);
    return CompletableFuture.completedFuture(mods.stream().map(onConfirmed).toList());
  }

  @Override
  public CompletableFuture<Answer<List<FlowStats>>> flowStats() {
    return onFlowStats.get();
  }

  @Override
  public CompletableFuture<Boolean> probe() {
    signsAsked++;
    return sign;
  }

  private List<FlowStats> entries() {
    return entries;
  }

  @Override
  public CompletableFuture<Answer<List<TableStats>>> tableStats() {
    return onTableStats.get();
  }

  @Override
  public CompletableFuture<Answer<List<PortStats>>> portStats() {
    return onPortStats.get();
  }

  @Override
  public TableClaims tableClaims() {
    return claims;
  }

  @Override
  public void close(String reason) {
    open = false;
  }
}
