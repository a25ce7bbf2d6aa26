package io.lockstep.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The device manager with an unknown source (section VI-D of the paper). So that the store does not
 * grow, a flow looks for addresses that no flow writes and writes those of a ring of {@link
 * Procedures#DEVICE_RING} others; sizes and replies are those of a device never seen. As every
 * address is unique, the update of the IP index cannot fail.
 */
final class UnknownDevicePlans {
  private static final int RING = Procedures.DEVICE_RING;
  private static final int IP_VALUE_BYTES = 129;

  private UnknownDevicePlans() {}

  private record Layout(
      KnownDevicePlans.Layout known, TableLayout ids, TableLayout ips, boolean references) {

    static Layout of(KnownDevicePlans.Layout known, String prefix, boolean references) {
      return new Layout(
          known,
          TableLayout.values(prefix + ".id", 20),
          TableLayout.values(prefix + ".ip", 386),
          references);
    }

    List<TableLayout> all() {
      return List.of(known.devices(), known.macs(), ids, ips);
    }

    String unknownMac(long number) {
      return known.macs().key('x', number % RING);
    }

    Operation increment() {
      return new Operation.Increment(ids.name(), ids.key(0));
    }

    Operation mac(long number, long device) {
      return new Operation.Put(
          known.macs().name(),
          known.macs().key('n', number % RING),
          references ? known.deviceKey(device) : Values.of((int) device, 4));
    }

    Operation readIp(long number) {
      return new Operation.Get(ips.name(), ips.key('x', number % RING));
    }

    Operation ip(long number, long device) {
      return new Operation.Put(
          ips.name(), ips.key('n', number % RING), Values.of((int) device, IP_VALUE_BYTES));
    }
  }

  /** What a variant does its own way. */
  private interface Ways {
    Operation readSource(long number);

    Operation putDevice(long device);

    Step readDestination(long number);
  }

  /** Destinations are the devices above those of the ring. */
  private static int destination(long number) {
    return RING + (int) ((number + 1) % RING);
  }

  private static FlowPlan plan(Layout layout, List<Operation> puts, Ways ways) {
    return new Plan(
        layout.all(),
        puts,
        number ->
            absent(
                ways.readSource(number),
                Step.then(
                    layout.increment(),
                    id -> {
                      long device = id.number() % RING;
                      return Step.then(
                          ways.putDevice(device),
                          done ->
                              Step.then(
                                  layout.mac(number, device),
                                  also ->
                                      absent(
                                          layout.readIp(number),
                                          Step.then(
                                              layout.ip(number, device),
                                              made -> ways.readDestination(number)))));
                    })));
  }

  /** A read that must find nothing. */
  private static Step absent(Operation read, Step next) {
    return new Step(
        read,
        answer -> {
          if (answer.done()) {
            throw new IllegalStateException("found what nobody wrote: " + read);
          }
          return next;
        });
  }

  private static List<Operation> destinations(Layout layout, int deviceBytes) {
    List<Operation> puts = new ArrayList<>();
    for (int device = RING; device < 2 * RING; device++) {
      puts.add(destinationMac(layout, device));
      puts.add(
          new Operation.Put(
              layout.known.devices().name(),
              layout.known.devices().key(device),
              Values.of(device, deviceBytes)));
    }
    return puts;
  }

  private static Operation destinationMac(Layout layout, int device) {
    return new Operation.Put(
        layout.known.macs().name(),
        layout.known.macs().key(device),
        layout.references ? layout.known.deviceKey(device) : Values.of(device, 4));
  }

  /** (408,0) (21,4) (1395,1) (416,0) (386,0) (517,0) (408,8) (26,1378). */
  static FlowPlan init() {
    Layout layout = Layout.of(KnownDevicePlans.Layout.values("dui"), "dui", false);
    return plan(
        layout,
        destinations(layout, 1372),
        new Ways() {
          @Override
          public Operation readSource(long number) {
            return new Operation.Get(layout.known.macs().name(), layout.unknownMac(number));
          }

          @Override
          public Operation putDevice(long device) {
            return valueDevice(layout, device, 1366);
          }

          @Override
          public Step readDestination(long number) {
            return Step.then(
                layout.known.mac(destination(number)), key -> Step.last(layout.known.device(key)));
          }
        });
  }

  private static Operation valueDevice(Layout layout, long device, int bytes) {
    return new Operation.Put(
        layout.known.devices().name(),
        layout.known.devices().key(device),
        Values.of((int) device, bytes));
  }

  /** (408,0) (21,4) (1225,1) (416,0) (386,0) (517,0) (408,1208). */
  static FlowPlan references() {
    return throughPlan("duc", 1187);
  }

  /** (408,0) (21,4) (1225,1) (416,0) (386,0) (517,0) (408,1212). */
  static FlowPlan versions() {
    return throughPlan("duv", 1191);
  }

  private static FlowPlan throughPlan(String prefix, int destinationBytes) {
    Layout layout = Layout.of(KnownDevicePlans.Layout.references(prefix), prefix, true);
    return plan(
        layout,
        destinations(layout, destinationBytes),
        new Ways() {
          @Override
          public Operation readSource(long number) {
            return new Operation.Through(
                layout.known.macs().name(), layout.unknownMac(number), List.of());
          }

          @Override
          public Operation putDevice(long device) {
            return valueDevice(layout, device, 1196);
          }

          @Override
          public Step readDestination(long number) {
            return Step.last(layout.known.through(destination(number), List.of()));
          }
        });
  }

  /** (486,0) (21,4) (1183,1) (416,0) (386,0) (517,0) (416,474). */
  static FlowPlan columns() {
    Layout layout = Layout.of(KnownDevicePlans.Layout.rows("duk"), "duk", true);
    List<Operation> puts = new ArrayList<>();
    for (int device = RING; device < 2 * RING; device++) {
      puts.add(destinationMac(layout, device));
      puts.add(rowDevice(layout, device));
    }
    return plan(
        layout,
        puts,
        new Ways() {
          @Override
          public Operation readSource(long number) {
            return new Operation.Through(
                layout.known.macs().name(),
                layout.unknownMac(number),
                KnownDevicePlans.SOURCE_COLUMNS);
          }

          @Override
          public Operation putDevice(long device) {
            return rowDevice(layout, (int) device);
          }

          @Override
          public Step readDestination(long number) {
            return Step.last(layout.known.through(destination(number), List.of("points")));
          }
        });
  }

  private static Operation rowDevice(Layout layout, int device) {
    Map<String, byte[]> row = KnownDevicePlans.deviceRow(device, 544);
    return new Operation.PutColumns(
        layout.known.devices().name(), layout.known.devices().key(device), row);
  }

  /** (28,201) (476,8). */
  static FlowPlan micro() {
    TableLayout macs = KnownDevicePlans.microMacs();
    List<Operation> puts = new ArrayList<>();
    for (int device = RING; device < 2 * RING; device++) {
      puts.add(KnownDevicePlans.microMac(macs, device));
      puts.add(
          new Operation.Put(
              Procedures.DEVICES, Procedures.deviceKey(device), Values.of(device, 194)));
    }
    TableLayout ips = new TableLayout(Procedures.DEVICE_IPS, TableLayout.Kind.VALUES, null, 8);
    TableLayout ids = new TableLayout(Procedures.DEVICE_IDS, TableLayout.Kind.VALUES, null, 2);
    byte[] device = Values.of(0, 444);
    return new Plan(
        List.of(KnownDevicePlans.microDevices(), macs, ips, ids),
        puts,
        number ->
            Step.then(
                new Operation.Call(
                    Procedure.DEVICES,
                    macs.key('x', number % RING),
                    macs.key(destination(number)),
                    new byte[0]),
                devices ->
                    Step.last(
                        new Operation.Call(
                            Procedure.CREATE,
                            macs.key('n', number % RING),
                            ips.key('n', number % RING),
                            device))));
  }
}
