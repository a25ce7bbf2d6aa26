package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Coded;
import io.lockstep.apps.loadbalancer.state.ConfigNames;
import io.lockstep.apps.loadbalancer.state.Ipv4;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkView;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;

/** {@code lockstep member}: the servers of a pool. Pure. */
final class MemberResource implements Resource {
  private static final ResourceField POOL =
      ResourceField.text("pool", Pattern.compile(ConfigNames.PATTERN), "the name of a pool");
  private static final ResourceField ADDRESS =
      ResourceField.text("address", Pattern.compile(Ipv4.PATTERN), Ipv4.ALLOWED);
  private static final ResourceField PORT = ResourceField.whole("port", 1, 0xffff, "");
  private static final ResourceField WEIGHT =
      ResourceField.whole("weight", 1, Member.MOST_WEIGHT, "").usual(1L);
  private static final ResourceField MODE =
      ResourceField.text(
              "mode",
              Pattern.compile("enabled|drain|disabled"),
              "enabled, drain (keeps its connections and takes no new ones) or disabled")
          .usual(Member.State.ENABLED.word());

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "members",
          "member",
          "the servers of pools, and whether they answer",
          Pattern.compile(ConfigNames.PATTERN),
          ConfigNames.ALLOWED,
          List.of(POOL, ADDRESS, PORT, WEIGHT, MODE),
          EnumSet.allOf(Change.class));

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public List<TableRange> reads(@Nullable String id) {
    return List.of(
        ConfigChanges.range(BalancerTables.MEMBERS, id),
        ConfigChanges.range(BalancerTables.HEALTH, id));
  }

  @Override
  public List<ResourceItem> items(NounInput input) {
    Set<String> down = new HashSet<>();
    input.tables().get(1).entries().forEach(entry -> down.add(entry.key().toUtf8()));
    List<ResourceItem> items = new ArrayList<>();
    for (Entry entry : input.tables().get(0).entries()) {
      Member member = Member.of(entry.key().toUtf8(), entry.value());
      KnownHost host = place(input.network(), member);
      items.add(
          new ResourceItem(
              member.name(),
              entry.version(),
              ResourceValues.builder()
                  .text(POOL.name(), member.pool())
                  .text(ADDRESS.name(), Ipv4.text(member.ip()))
                  .whole(PORT.name(), member.port())
                  .whole(WEIGHT.name(), member.weight())
                  .text(MODE.name(), member.state().word())
                  .build(),
              ResourceValues.builder()
                  .text("health", down.contains(member.name()) ? "down" : "up")
                  .text("place", host == null ? "unknown" : host.location().toString())
                  .build()));
    }
    return items;
  }

  private static @Nullable KnownHost place(NetworkView network, Member member) {
    VirtualIp vip = network.picture(ServicePicture.PICTURE).vipOf(member);
    return network.hostWith(member.ip(), vip == null ? 0 : vip.vlan());
  }

  @Override
  public @Nullable ResourceResult objection(ResourceChange change, NetworkView network) {
    ResourceValues fields = ConfigChanges.fields(change);
    if (fields == null) {
      return null;
    }
    Member member = member(change.id(), fields);
    VirtualIp vip = network.picture(ServicePicture.PICTURE).vipOf(member);
    return vip == null ? null : otherVlan(member, vip, ADDRESS.name(), network);
  }

  /**
   * Refuses a member that the network knows in another VLAN than the virtual IP's, and only there.
   */
  static @Nullable ResourceResult otherVlan(
      Member member, VirtualIp vip, String field, NetworkView network) {
    if (network.hostWith(member.ip(), vip.vlan()) != null) {
      return null;
    }
    Ip4Address ip = Ip4Address.valueOf(member.ip());
    for (KnownHost host : network.hosts()) {
      if (host.ips().contains(ip)) {
        return new ResourceResult.Conflict(
            field,
            field
                + ": member "
                + member.name()
                + " with "
                + ip
                + " is at "
                + host.location()
                + " in "
                + words(host.vlanId())
                + ", and virtual IP "
                + vip.name()
                + " is in "
                + words(vip.vlan()),
            "give members in the VLAN of the virtual IP");
      }
    }
    return null;
  }

  private static String words(int vlan) {
    return vlan > 0 ? "VLAN " + vlan : "no VLAN";
  }

  private static Member member(String name, ResourceValues fields) {
    return new Member(
        name,
        fields.text(POOL.name()),
        Ipv4.parse(ADDRESS.name(), fields.text(ADDRESS.name())),
        (int) fields.whole(PORT.name()),
        (int) fields.whole(WEIGHT.name()),
        Coded.ofWord(Member.State.values(), MODE.name(), fields.text(MODE.name())));
  }

  @Override
  public Command command(ResourceChange change) {
    long expected = ConfigChanges.expected(change);
    ResourceValues fields = ConfigChanges.fields(change);
    return fields == null
        ? BalancerCommands.removeMember(change.id(), expected)
        : BalancerCommands.put(member(change.id(), fields), expected);
  }

  @Override
  public ResourceResult result(ResourceChange change, Reply reply) {
    return ConfigChanges.of(reply);
  }
}
