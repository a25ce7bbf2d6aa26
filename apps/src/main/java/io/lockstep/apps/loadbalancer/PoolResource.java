package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Coded;
import io.lockstep.apps.loadbalancer.state.ConfigNames;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.app.TableRange;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code lockstep pool}: how connections are shared out, and how members are probed. Pure. */
final class PoolResource implements Resource {
  private static final ResourceField METHOD =
      ResourceField.text(
              "method",
              Pattern.compile("round-robin|weighted"),
              "weighted, or round-robin, which takes no notice of weights")
          .usual(Pool.Method.WEIGHTED.word());
  private static final ResourceField PROBE =
      ResourceField.text("probe", Pattern.compile("none|arp|icmp|tcp"), "none, arp, icmp or tcp")
          .usual(Pool.Probe.ARP.word());
  private static final ResourceField INTERVAL =
      ResourceField.whole(
              "intervalMillis",
              Pool.LEAST_INTERVAL_MILLIS,
              Pool.MOST_INTERVAL_MILLIS,
              "milliseconds from one probe of a member to the next")
          .usual((long) Pool.USUAL_INTERVAL_MILLIS);
  private static final ResourceField MISSES =
      ResourceField.whole("misses", 1, Pool.MOST_PROBES, "probes without answer until it is down")
          .usual((long) Pool.USUAL_MISSES);
  private static final ResourceField HITS =
      ResourceField.whole("hits", 1, Pool.MOST_PROBES, "answers until it is up again")
          .usual((long) Pool.USUAL_HITS);

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "pools",
          "pool",
          "pools of members that virtual IPs share connections out to",
          Pattern.compile(ConfigNames.PATTERN),
          ConfigNames.ALLOWED,
          List.of(METHOD, PROBE, INTERVAL, MISSES, HITS),
          EnumSet.allOf(Change.class));

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public List<TableRange> reads(@Nullable String id) {
    return List.of(
        ConfigChanges.range(BalancerTables.POOLS, id), TableRange.all(BalancerTables.MEMBERS));
  }

  @Override
  public List<ResourceItem> items(NounInput input) {
    Map<String, List<String>> members = new TreeMap<>();
    for (Entry entry : input.tables().get(1).entries()) {
      Member member = Member.of(entry.key().toUtf8(), entry.value());
      members.computeIfAbsent(member.pool(), pool -> new ArrayList<>()).add(member.name());
    }
    List<ResourceItem> items = new ArrayList<>();
    for (Entry entry : input.tables().get(0).entries()) {
      Pool pool = Pool.of(entry.key().toUtf8(), entry.value());
      items.add(
          new ResourceItem(
              pool.name(),
              entry.version(),
              ResourceValues.builder()
                  .text(METHOD.name(), pool.method().word())
                  .text(PROBE.name(), pool.probe().word())
                  .whole(INTERVAL.name(), pool.intervalMillis())
                  .whole(MISSES.name(), pool.misses())
                  .whole(HITS.name(), pool.hits())
                  .build(),
              ResourceValues.builder()
                  .texts("members", members.getOrDefault(pool.name(), List.of()))
                  .build()));
    }
    return items;
  }

  @Override
  public Command command(ResourceChange change) {
    long expected = ConfigChanges.expected(change);
    ResourceValues fields = ConfigChanges.fields(change);
    return fields == null
        ? BalancerCommands.removePool(change.id(), expected)
        : BalancerCommands.put(
            new Pool(
                change.id(),
                Coded.ofWord(Pool.Method.values(), METHOD.name(), fields.text(METHOD.name())),
                Coded.ofWord(Pool.Probe.values(), PROBE.name(), fields.text(PROBE.name())),
                (int) fields.whole(INTERVAL.name()),
                (int) fields.whole(MISSES.name()),
                (int) fields.whole(HITS.name())),
            expected);
  }

  @Override
  public ResourceResult result(ResourceChange change, Reply reply) {
    return ConfigChanges.of(reply);
  }
}
