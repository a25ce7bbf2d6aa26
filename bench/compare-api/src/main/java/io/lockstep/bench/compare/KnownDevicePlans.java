package io.lockstep.bench.compare;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The device manager with a known source (section VI-D of the paper). Sources are the devices from
 * 0 on, destinations those above them. A replace that fails on its condition is not repeated.
 */
final class KnownDevicePlans {
  static final int HOSTS = 1024;

  /** What a flow reads of its source: their names make the request's 77 bytes more. */
  static final List<String> SOURCE_COLUMNS =
      List.of(
          "points",
          "entities",
          "last-seen",
          "address-mac",
          "address-vlan",
          "address-ip",
          "entity-class",
          "key");

  private KnownDevicePlans() {}

  /** Tables of one variant: addresses and devices. */
  record Layout(TableLayout macs, TableLayout devices) {
    static Layout values(String prefix) {
      return new Layout(
          TableLayout.values(prefix + ".mac", 408), TableLayout.values(prefix + ".device", 26));
    }

    static Layout references(String prefix) {
      TableLayout devices = TableLayout.values(prefix + ".device", 26);
      return new Layout(TableLayout.reference(prefix + ".mac", devices.name(), 407), devices);
    }

    static Layout rows(String prefix) {
      TableLayout devices = TableLayout.columns(prefix + ".device", 26);
      return new Layout(TableLayout.reference(prefix + ".mac", devices.name(), 408), devices);
    }

    List<TableLayout> all() {
      return List.of(devices, macs);
    }

    Operation.Get mac(long number) {
      return new Operation.Get(macs.name(), macs.key(number));
    }

    Operation.Get device(Answer reference) {
      return new Operation.Get(devices.name(), devices.key(Values.number(reference.found())));
    }

    Operation.Through through(long number, List<String> columns) {
      return new Operation.Through(macs.name(), macs.key(number), columns);
    }

    byte[] deviceKey(long number) {
      return devices.key(number).getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static List<Operation> preparation(
      Layout layout, boolean references, int sourceBytes, int destinationBytes) {
    List<Operation> puts = new ArrayList<>();
    for (int device = 0; device < 2 * HOSTS; device++) {
      puts.add(
          new Operation.Put(
              layout.macs.name(),
              layout.macs.key(device),
              references ? layout.deviceKey(device) : Values.of(device, 4)));
      puts.add(
          new Operation.Put(
              layout.devices.name(),
              layout.devices.key(device),
              Values.of(0, device < HOSTS ? sourceBytes : destinationBytes)));
    }
    return puts;
  }

  static long source(long number) {
    return number % HOSTS;
  }

  static long destination(long number) {
    return HOSTS + (number + 1) % HOSTS;
  }

  /** (408,8) (26,1444) (2942,0) (408,8) (26,1369). */
  static FlowPlan init() {
    Layout layout = Layout.values("dki");
    return new Plan(
        layout.all(),
        preparation(layout, false, 1441, 1363),
        number ->
            Step.then(
                layout.mac(source(number)),
                key ->
                    Step.then(
                        layout.device(key),
                        device ->
                            new Step(
                                byValue(layout, number, device),
                                anyway ->
                                    Step.then(
                                        layout.mac(destination(number)),
                                        other -> Step.last(layout.device(other)))))));
  }

  private static Operation byValue(Layout layout, long number, Answer device) {
    byte[] old = device.found();
    return new Operation.ReplaceValue(
        layout.devices.name(),
        layout.devices.key(source(number)),
        old,
        Values.with(old, (int) number + 1));
  }

  private static Operation byVersion(Layout layout, long number, Answer device) {
    return new Operation.ReplaceVersion(
        layout.devices.name(),
        layout.devices.key(source(number)),
        device.number(),
        Values.with(device.found(), (int) number + 1));
  }

  /** (408,1274) (2602,0) (408,1199). */
  static FlowPlan references() {
    Layout layout = Layout.references("dkc");
    return throughPlan(
        layout,
        preparation(layout, true, 1262, 1183),
        (number, device) -> byValue(layout, number, device));
  }

  /** (408,1278) (1316,1) (408,1203). */
  static FlowPlan versions() {
    Layout layout = Layout.references("dkv");
    return throughPlan(
        layout,
        preparation(layout, true, 1266, 1187),
        (number, device) -> byVersion(layout, number, device));
  }

  private static FlowPlan throughPlan(
      Layout layout, List<Operation> puts, BiFunction<Long, Answer, Operation> replace) {
    return new Plan(
        layout.all(),
        puts,
        number ->
            Step.then(
                layout.through(source(number), List.of()),
                device ->
                    new Step(
                        replace.apply(number, device),
                        anyway -> Step.last(layout.through(destination(number), List.of())))));
  }

  /** (486,1261) (667,1) (416,474). */
  static FlowPlan columns() {
    Layout layout = Layout.rows("dkk");
    List<Operation> puts = new ArrayList<>();
    for (int device = 0; device < 2 * HOSTS; device++) {
      puts.add(
          new Operation.Put(layout.macs.name(), layout.macs.key(device), layout.deviceKey(device)));
      puts.add(
          new Operation.PutColumns(
              layout.devices.name(), layout.devices.key(device), deviceRow(device, 598)));
    }
    return new Plan(
        layout.all(),
        puts,
        number ->
            Step.then(
                layout.through(source(number), SOURCE_COLUMNS),
                device ->
                    new Step(
                        seenColumns(layout, number, device),
                        anyway ->
                            Step.last(layout.through(destination(number), List.of("points"))))));
  }

  private static Operation seenColumns(Layout layout, long number, Answer device) {
    Map<String, byte[]> columns = new LinkedHashMap<>();
    columns.put("entities", device.column("entities"));
    columns.put("last-seen", Values.of((int) number + 1, 8));
    return new Operation.ReplaceColumns(
        layout.devices.name(), layout.devices.key(source(number)), device.number(), columns);
  }

  /** The columns of a device; of a destination only the points are read. */
  static Map<String, byte[]> deviceRow(int number, int entitiesBytes) {
    return Map.of(
        "points", Values.of(number, 438),
        "entities", Values.of(number, entitiesBytes),
        "last-seen", Values.of(0, 8),
        "address-mac", Values.of(number, 18),
        "address-vlan", Values.of(number, 8),
        "address-ip", Values.of(number, 16),
        "entity-class", Values.of(number, 24),
        "key", Values.of(number, 13));
  }

  /** (28,1414) (36,0). */
  static FlowPlan micro() {
    TableLayout macs = microMacs();
    List<Operation> puts = new ArrayList<>();
    for (int device = 0; device < 2 * HOSTS; device++) {
      puts.add(microMac(macs, device));
      puts.add(
          new Operation.Put(
              Procedures.DEVICES, Procedures.deviceKey(device), Values.of(device, 703)));
    }
    return new Plan(
        List.of(microDevices(), macs),
        puts,
        number -> {
          String source = macs.key(source(number));
          return Step.then(
              new Operation.Call(
                  Procedure.DEVICES, source, macs.key(destination(number)), new byte[0]),
              devices ->
                  Step.last(
                      new Operation.Call(Procedure.SEEN, source, "", Values.of((int) number, 16))));
        });
  }

  static TableLayout microMacs() {
    return new TableLayout(Procedures.MACS, TableLayout.Kind.REFERENCE, Procedures.DEVICES, 8);
  }

  static TableLayout microDevices() {
    return new TableLayout(Procedures.DEVICES, TableLayout.Kind.VALUES, null, 8);
  }

  static Operation microMac(TableLayout macs, int device) {
    return new Operation.Put(
        Procedures.MACS,
        macs.key(device),
        Procedures.deviceKey(device).getBytes(StandardCharsets.US_ASCII));
  }
}
