package io.lockstep.bench.compare;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of table II of the paper: those reads that it marks are answered from the client's
 * cache where that is fresh enough, and the write carries the version of what it was decided on.
 * Where that has changed the store refuses, and the flow begins again with a read from the store.
 */
final class CachePlans {
  /** How old an answer may be where others write the table too. */
  static final long STALENESS_MILLIS = 1000;

  private static final int HOSTS = 1024;
  private static final int HOST_GET_BYTES = 27;
  private static final int PORT_BYTES = 4;
  private static final int TIME_BYTES = 16;

  private CachePlans() {}

  /**
   * (29,1) (27,6): this controller alone writes the table, so what the cache holds is exact; a
   * source is written only where it is not at its port already. Hosts stay where they are, so after
   * the first flows nothing is asked of the store: the paper's best case.
   */
  static FlowPlan learningSwitch() {
    TableLayout table = TableLayout.values(Procedures.CACHED_HOSTS, HOST_GET_BYTES);
    List<Operation> puts = new ArrayList<>();
    List<Operation> reads = new ArrayList<>();
    List<byte[]> ports = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      byte[] port = ByteBuffer.allocate(PORT_BYTES).putInt(host).array();
      ports.add(port);
      puts.add(new Operation.Put(table.name(), table.key(host), port));
      reads.add(new Operation.Recent(new Operation.Get(table.name(), table.key(host)), 0));
    }
    return new Plan(
        List.of(table),
        puts,
        number -> {
          int source = (int) (number % HOSTS);
          Step destination = Step.last(reads.get((source + 1) % HOSTS));
          return new Step(
              reads.get(source),
              known ->
                  Arrays.equals(known.value(), ports.get(source))
                      ? destination
                      : Step.then(puts.get(source), done -> destination));
        });
  }

  /**
   * (29,1) (27,6): the paper's worst case. The table is another one, which is in no cache, so each
   * flow asks for both.
   */
  static FlowPlan learningSwitchWorst() {
    TableLayout table = TableLayout.values("lsw.host", HOST_GET_BYTES);
    List<Operation> puts = new ArrayList<>();
    List<Step> reads = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      byte[] port = ByteBuffer.allocate(PORT_BYTES).putInt(host).array();
      puts.add(new Operation.Put(table.name(), table.key(host), port));
      reads.add(Step.last(new Operation.Get(table.name(), table.key(host))));
    }
    return new Plan(
        List.of(table),
        puts,
        number -> {
          int source = (int) (number % HOSTS);
          return Step.then(puts.get(source), done -> reads.get((source + 1) % HOSTS));
        });
  }

  /** The best case, where the cache has what it may have. */
  static FlowPlan loadBalancer() {
    return loadBalancer(STALENESS_MILLIS);
  }

  /**
   * (62,324) (21,4): the virtual address from the cache, the next member from the store.
   *
   * @param stalenessMillis of what the cache has; 0 asks the store
   */
  static FlowPlan loadBalancer(long stalenessMillis) {
    FlowPlan micro = LoadBalancerPlans.micro();
    LoadBalancerPlans.Layout layout = LoadBalancerPlans.microLayout();
    String vip = layout.vips().key(0);
    Operation read = layout.vipOfIp(List.of());
    Operation.Call next =
        new Operation.Call(Procedure.NEXT_MEMBER, layout.pools().key(0), "", new byte[0]);
    Function<Answer, Operation> write = found -> new Operation.CallAt(next, vip, found.number());
    Step flow = validated(read, write, null, stalenessMillis);
    return new Plan(micro.tables(), micro.preparation(), number -> flow);
  }

  /** The best case, where the cache has what it may have. */
  static FlowPlan knownDevice() {
    return knownDevice(STALENESS_MILLIS);
  }

  /**
   * (28,1414) (36,0): both devices from the cache; the write of the time at which the source was
   * seen goes to an entry of its own, so that it leaves the device in the cache as it is. The reads
   * are two: each device that the cache does not have is read by itself.
   *
   * @param stalenessMillis of what the cache has; 0 asks the store
   */
  static FlowPlan knownDevice(long stalenessMillis) {
    FlowPlan micro = KnownDevicePlans.micro();
    KnownDevicePlans.Layout layout =
        new KnownDevicePlans.Layout(KnownDevicePlans.microMacs(), KnownDevicePlans.microDevices());
    List<TableLayout> tables = new ArrayList<>(micro.tables());
    tables.add(new TableLayout(Procedures.DEVICE_SEEN, TableLayout.Kind.VALUES, null, 8));
    return new Plan(
        tables,
        micro.preparation(),
        number -> {
          long source = KnownDevicePlans.source(number);
          Operation.Call seen =
              new Operation.Call(Procedure.SEEN, "", "", Values.of((int) number, TIME_BYTES));
          String device = Procedures.deviceKey(source);
          return validated(
              layout.through(source, List.of()),
              found -> new Operation.CallAt(seen, device, found.number()),
              layout.through(KnownDevicePlans.destination(number), List.of()),
              stalenessMillis);
        });
  }

  /** A read, maybe another, and a write that is refused where the first one's entry has changed. */
  private static Step validated(
      Operation read,
      Function<Answer, Operation> write,
      @Nullable Operation other,
      long stalenessMillis) {
    Step anew = attempt(read, write, other, 0, null);
    return attempt(read, write, other, stalenessMillis, anew);
  }

  private static Step attempt(
      Operation read,
      Function<Answer, Operation> write,
      @Nullable Operation other,
      long stalenessMillis,
      @Nullable Step whenRefused) {
    return Step.then(
        new Operation.Recent(read, stalenessMillis),
        found -> {
          Operation last = write.apply(found);
          Step writing =
              whenRefused == null
                  ? Step.last(last)
                  : new Step(last, answer -> answer.done() ? null : whenRefused);
          return other == null
              ? writing
              : Step.then(new Operation.Recent(other, stalenessMillis), also -> writing);
        });
  }
}
