package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.ConnectionRecord;
import io.lockstep.apps.loadbalancer.state.Ipv4;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Rows;
import io.lockstep.core.app.TableRange;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.codec.ByteWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the load balancer shows on the command line. Pure. */
final class BalancerNouns {
  private static final String ADDRESS = "([0-9]{1,3}\\.){3}[0-9]{1,3}";

  /** All of them. */
  static final List<Noun> ALL =
      List.of(
          Noun.ofTable(
              "vips",
              "the virtual IPs, the pools behind them and their bounds",
              BalancerTables.VIPS,
              List.of(
                  "name",
                  "service",
                  "mac",
                  "prefixLength",
                  "vlan",
                  "pool",
                  "idleSeconds",
                  "maxConnections",
                  "maxPerClient"),
              BalancerNouns::vip),
          Noun.ofTable(
              "pools",
              "the pools, how they share out connections and how their members are probed",
              BalancerTables.POOLS,
              List.of("name", "method", "probe", "intervalMillis", "misses", "hits"),
              BalancerNouns::pool),
          new Noun(
              "members",
              "the members of all pools, and where they are",
              List.of(),
              arguments ->
                  List.of(
                      TableRange.all(BalancerTables.MEMBERS),
                      TableRange.all(BalancerTables.HEALTH)),
              BalancerNouns::members),
          new Noun(
              "connections",
              "the connections that are remembered, of all clients or of one, and their members",
              List.of(
                  NounArgument.text(
                          "client", Pattern.compile(ADDRESS), "an IPv4 address, such as 10.0.0.1")
                      .optional()),
              BalancerNouns::connectionRanges,
              BalancerNouns::connections));

  private BalancerNouns() {}

  private static List<String> vip(Entry entry) {
    VirtualIp vip = VirtualIp.of(entry.key().toUtf8(), entry.value());
    return List.of(
        vip.name(),
        vip.service().toString(),
        VirtualMac.address(vip.service().ip()).toString(),
        String.valueOf(vip.prefixLength()),
        vip.vlan() == 0 ? "-" : String.valueOf(vip.vlan()),
        vip.pool(),
        String.valueOf(vip.idleSeconds()),
        String.valueOf(vip.maxConnections()),
        String.valueOf(vip.maxPerClient()));
  }

  private static List<String> pool(Entry entry) {
    Pool pool = Pool.of(entry.key().toUtf8(), entry.value());
    return List.of(
        pool.name(),
        pool.method().word(),
        pool.probe().word(),
        String.valueOf(pool.intervalMillis()),
        String.valueOf(pool.misses()),
        String.valueOf(pool.hits()));
  }

  private static Rows members(NounInput input) {
    Rows.Builder rows = Rows.of("name", "pool", "address", "weight", "state", "health", "location");
    Set<String> down = new HashSet<>();
    input.tables().get(1).entries().forEach(entry -> down.add(entry.key().toUtf8()));
    for (Entry entry : input.tables().get(0).entries()) {
      Member member = Member.of(entry.key().toUtf8(), entry.value());
      KnownHost host = place(input, member);
      rows.add(
          member.name(),
          member.pool(),
          Ipv4.text(member.ip()) + ":" + member.port(),
          member.weight(),
          member.state().word(),
          down.contains(member.name()) ? "down" : "up",
          host == null ? "-" : host.location());
    }
    return rows.build();
  }

  private static @Nullable KnownHost place(NounInput input, Member member) {
    VirtualIp vip = input.network().picture(ServicePicture.PICTURE).vipOf(member);
    return input.network().hostWith(member.ip(), vip == null ? 0 : vip.vlan());
  }

  private static List<TableRange> connectionRanges(Map<String, String> arguments) {
    String client = arguments.get("client");
    if (client == null) {
      return List.of(TableRange.all(BalancerTables.CONNECTIONS));
    }
    Bytes ip = new ByteWriter(4).int32(Ipv4.parse("client", client)).toBytes();
    return List.of(TableRange.prefix(BalancerTables.CONNECTIONS, ip));
  }

  private static Rows connections(NounInput input) {
    Rows.Builder rows =
        Rows.of("client", "service", "member", "memberAddress", "epoch", "place", "silentSeconds");
    for (Entry entry : input.tables().get(0).entries()) {
      ConnectionKey key = ConnectionKey.of(entry.key());
      ConnectionRecord record = ConnectionRecord.of(entry.value());
      rows.add(
          Ipv4.text(key.clientIp()) + ":" + key.clientPort(),
          key.service(),
          record.member(),
          Ipv4.text(record.ip()) + ":" + record.port(),
          record.epoch(),
          record.place(),
          // The store's time, which is another clock than the node's.
          Math.max(0, record.silentSeconds(input.wallMillis() / 1_000)));
    }
    return rows.build();
  }
}
