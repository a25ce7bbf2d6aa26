package io.lockstep.bench.compare;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The load balancer (section VI-C of the paper): one virtual address, one hot pool. A replace of
 * the pool that fails on its condition is not repeated; the flow goes on with the member it chose.
 */
final class LoadBalancerPlans {
  private static final String CURRENT = "current";
  private static final String REST = "rest";
  private static final int COUNTER_BYTES = 4;

  private LoadBalancerPlans() {}

  /** Tables of one variant. */
  record Layout(TableLayout ips, TableLayout vips, TableLayout pools, TableLayout members) {
    List<TableLayout> all() {
      return List.of(vips, ips, pools, members);
    }

    Operation.Get ip() {
      return new Operation.Get(ips.name(), ips.key(0));
    }

    Operation.Through vipOfIp(List<String> columns) {
      return new Operation.Through(ips.name(), ips.key(0), columns);
    }

    String memberOf(int current) {
      return members.key(current % Procedures.MEMBERS);
    }
  }

  /** Tables of values; the first one holds references or not. */
  private static Layout values(String prefix, boolean references) {
    TableLayout vips = TableLayout.values(prefix + ".vip", 29);
    return new Layout(
        references
            ? TableLayout.reference(prefix + ".ip", vips.name(), 103)
            : TableLayout.values(prefix + ".ip", 104),
        vips,
        TableLayout.values(prefix + ".pool", 30),
        TableLayout.values(prefix + ".member", 32));
  }

  private static Layout rows() {
    TableLayout vips = TableLayout.columns("lbk.vip", 29);
    return new Layout(
        TableLayout.reference("lbk.ip", vips.name(), 51),
        vips,
        TableLayout.columns("lbk.pool", 29),
        TableLayout.columns("lbk.member", 41));
  }

  private static List<Operation> preparation(
      Layout layout, byte[] vipOfIp, int vipBytes, int poolBytes, int memberBytes) {
    List<Operation> puts = new ArrayList<>();
    puts.add(new Operation.Put(layout.ips.name(), layout.ips.key(0), vipOfIp));
    puts.add(new Operation.Put(layout.vips.name(), layout.vips.key(0), Values.of(0, vipBytes)));
    puts.add(new Operation.Put(layout.pools.name(), layout.pools.key(0), Values.of(0, poolBytes)));
    for (int member = 0; member < Procedures.MEMBERS; member++) {
      puts.add(
          new Operation.Put(
              layout.members.name(), layout.members.key(member), Values.of(member, memberBytes)));
    }
    return puts;
  }

  /** (104,8) (29,509) (30,369) (772,1) (32,221). */
  static FlowPlan init() {
    return initPlan(
        "lbi",
        (layout, vip) ->
            Step.then(
                new Operation.Get(layout.pools.name(), layout.pools.key(Values.number(vip))),
                pool -> replaceByValue(layout, pool)));
  }

  /** (104,8) (29,509). */
  static FlowPlan arpInit() {
    return initPlan("lba", (layout, vip) -> null);
  }

  private interface AfterVip {
    @Nullable Step step(Layout layout, byte[] vip);
  }

  private static FlowPlan initPlan(String prefix, AfterVip rest) {
    Layout layout = values(prefix, false);
    Function<Answer, @Nullable Step> vip =
        id ->
            Step.then(
                new Operation.Get(layout.vips.name(), layout.vips.key(Values.number(id.found()))),
                answer -> rest.step(layout, answer.found()));
    return new Plan(
        layout.all(),
        preparation(layout, Values.of(0, 4), 503, 363, 215),
        number -> Step.then(layout.ip(), vip));
  }

  private static Step replaceByValue(Layout layout, Answer pool) {
    byte[] old = pool.found();
    int current = Values.number(old) + 1;
    return new Step(
        new Operation.ReplaceValue(
            layout.pools.name(), layout.pools.key(0), old, Values.with(old, current)),
        anyway -> member(layout, current));
  }

  private static Step member(Layout layout, int current) {
    return Step.last(new Operation.Get(layout.members.name(), layout.memberOf(current)));
  }

  /** (104,509) (30,369) (772,1) (32,221). */
  static FlowPlan references() {
    Layout layout = values("lbc", true);
    return new Plan(
        layout.all(),
        preparation(layout, ascii(layout.vips.key(0)), 482, 363, 215),
        number ->
            Step.then(
                layout.vipOfIp(List.of()),
                vip ->
                    Step.then(
                        new Operation.Get(
                            layout.pools.name(), layout.pools.key(Values.number(vip.found()))),
                        pool -> replaceByValue(layout, pool))));
  }

  /** (104,509). */
  static FlowPlan arpReferences() {
    Layout layout = values("lbd", true);
    return new Plan(
        layout.all(),
        preparation(layout, ascii(layout.vips.key(0)), 482, 363, 215),
        number -> Step.last(layout.vipOfIp(List.of())));
  }

  /** (104,513) (30,373) (403,1) (32,225). */
  static FlowPlan versions() {
    Layout layout = values("lbv", true);
    return new Plan(
        layout.all(),
        preparation(layout, ascii(layout.vips.key(0)), 486, 367, 219),
        number ->
            Step.then(
                layout.vipOfIp(List.of()),
                vip ->
                    Step.then(
                        new Operation.Get(
                            layout.pools.name(), layout.pools.key(Values.number(vip.found()))),
                        pool -> replaceByVersion(layout, pool))));
  }

  private static Step replaceByVersion(Layout layout, Answer pool) {
    byte[] old = pool.found();
    int current = Values.number(old) + 1;
    return new Step(
        new Operation.ReplaceVersion(
            layout.pools.name(), layout.pools.key(0), pool.number(), Values.with(old, current)),
        anyway -> member(layout, current));
  }

  /** (104,513). */
  static FlowPlan arpVersions() {
    Layout layout = values("lbw", true);
    return new Plan(
        layout.all(),
        preparation(layout, ascii(layout.vips.key(0)), 486, 367, 219),
        number -> Step.last(layout.vipOfIp(List.of())));
  }

  /** (62,324) (30,373) (403,1) (44,4). */
  static FlowPlan columns() {
    Layout layout = rows();
    return columnsPlan(
        layout,
        vip ->
            Step.then(
                new Operation.GetColumns(
                    layout.pools.name(),
                    layout.pools.key(Values.number(vip.column("pool"))),
                    List.of()),
                pool -> replaceColumns(layout, pool)));
  }

  /** (62,324). */
  static FlowPlan arpColumns() {
    return columnsPlan(rows(), vip -> null);
  }

  private static FlowPlan columnsPlan(Layout layout, Function<Answer, @Nullable Step> afterVip) {
    List<Operation> puts = new ArrayList<>();
    puts.add(new Operation.Put(layout.ips.name(), layout.ips.key(0), ascii(layout.vips.key(0))));
    puts.add(
        new Operation.PutColumns(
            layout.vips.name(),
            layout.vips.key(0),
            Map.of(
                "mac", Values.of(0, 6), "pool", Values.of(0, 273), "protocol", Values.of(0, 170))));
    puts.add(
        new Operation.PutColumns(
            layout.pools.name(),
            layout.pools.key(0),
            Map.of(CURRENT, Values.of(0, COUNTER_BYTES), REST, Values.of(0, 344))));
    for (int member = 0; member < Procedures.MEMBERS; member++) {
      puts.add(
          new Operation.PutColumns(
              layout.members.name(),
              layout.members.key(member),
              Map.of("a", Values.of(member, 4), REST, Values.of(0, 200))));
    }
    return new Plan(
        layout.all(), puts, number -> Step.then(layout.vipOfIp(List.of("mac", "pool")), afterVip));
  }

  private static Step replaceColumns(Layout layout, Answer pool) {
    int current = Values.number(pool.column(CURRENT)) + 1;
    Map<String, byte[]> columns = new LinkedHashMap<>();
    columns.put(CURRENT, Values.of(current, COUNTER_BYTES));
    columns.put(REST, pool.column(REST));
    return new Step(
        new Operation.ReplaceColumns(
            layout.pools.name(), layout.pools.key(0), pool.number(), columns),
        anyway ->
            Step.last(
                new Operation.GetColumns(
                    layout.members.name(), layout.memberOf(current), List.of("a"))));
  }

  /** (62,324) (11,4). */
  static FlowPlan micro() {
    Layout layout = microLayout();
    Step next =
        Step.last(new Operation.Call(Procedure.NEXT_MEMBER, layout.pools.key(0), "", new byte[0]));
    Operation vip = new Operation.Call(Procedure.VIP, layout.ips.key(0), "", new byte[0]);
    return new Plan(
        layout.all(),
        preparation(layout, ascii(layout.vips.key(0)), 320, 363, 215),
        number -> Step.then(vip, found -> next));
  }

  static Layout microLayout() {
    return new Layout(
        new TableLayout(Procedures.IPS, TableLayout.Kind.REFERENCE, Procedures.VIPS, 48),
        new TableLayout(Procedures.VIPS, TableLayout.Kind.VALUES, null, 8),
        new TableLayout(Procedures.POOLS, TableLayout.Kind.VALUES, null, 2),
        new TableLayout(Procedures.MEMBER, TableLayout.Kind.VALUES, null, 2));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
