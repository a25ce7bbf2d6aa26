package io.lockstep.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** The learning switch (section VI-B of the paper). Each flow's source is another host. */
final class LearningSwitchPlans {
  private static final int HOSTS = 1024;
  private static final int VALUE_BYTES = 73;
  private static final int MICRO_KEY_BYTES = 14;
  private static final int PORT_BYTES = 4;

  private LearningSwitchPlans() {}

  /** Put the source (113, 1). */
  static FlowPlan broadcast() {
    TableLayout table = TableLayout.values("ls.hosts", 36);
    List<Operation> puts = puts(table, VALUE_BYTES);
    return new Plan(List.of(table), puts, number -> Step.last(puts.get((int) (number % HOSTS))));
  }

  /** Put the source (113, 1), then get the destination (36, 77). */
  static FlowPlan unicast() {
    TableLayout table = TableLayout.values("ls.hosts", 36);
    List<Operation> puts = puts(table, VALUE_BYTES);
    List<Step> reads = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      reads.add(Step.last(new Operation.Get(table.name(), table.key(host))));
    }
    return new Plan(
        List.of(table),
        puts,
        number ->
            Step.then(
                puts.get((int) (number % HOSTS)), done -> reads.get((int) ((number + 1) % HOSTS))));
  }

  /** Both in one operation (56, 6). */
  static FlowPlan micro() {
    TableLayout table =
        new TableLayout(Procedures.HOSTS, TableLayout.Kind.VALUES, null, MICRO_KEY_BYTES);
    return new Plan(
        List.of(table),
        puts(table, PORT_BYTES),
        number ->
            Step.last(
                new Operation.Call(
                    Procedure.LEARN,
                    table.key(number % HOSTS),
                    table.key((number + 1) % HOSTS),
                    Values.of((int) ((number / HOSTS + 1) % 2), PORT_BYTES))));
  }

  private static List<Operation> puts(TableLayout table, int valueBytes) {
    List<Operation> puts = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      puts.add(new Operation.Put(table.name(), table.key(host), Values.of(host, valueBytes)));
    }
    return puts;
  }
}
