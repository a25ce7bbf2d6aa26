package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Coded;
import io.lockstep.apps.loadbalancer.state.ConfigNames;
import io.lockstep.apps.loadbalancer.state.ConnectionCounts;
import io.lockstep.apps.loadbalancer.state.Ipv4;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
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
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code lockstep vip}: virtual IPs, their bounds, and what stands in their way. Pure. */
final class VipResource implements Resource {
  private static final ResourceField ADDRESS =
      ResourceField.text("address", Pattern.compile(Ipv4.PATTERN), Ipv4.ALLOWED);
  private static final ResourceField PROTOCOL =
      ResourceField.text("protocol", Pattern.compile("tcp|udp"), "tcp or udp").usual("tcp");
  private static final ResourceField PORT = ResourceField.whole("port", 1, 0xffff, "");
  private static final ResourceField POOL =
      ResourceField.text("pool", Pattern.compile(ConfigNames.PATTERN), "the name of a pool");
  private static final ResourceField PREFIX =
      ResourceField.whole("prefixLength", 8, 32, "bits of the subnet in which members are")
          .usual((long) VirtualIp.USUAL_PREFIX_LENGTH);
  private static final ResourceField VLAN =
      ResourceField.whole("vlan", 0, VirtualIp.MOST_VLAN, "0 for frames without a tag").usual(0L);
  private static final ResourceField IDLE =
      ResourceField.whole(
              "idleSeconds",
              VirtualIp.LEAST_IDLE_SECONDS,
              VirtualIp.MOST_IDLE_SECONDS,
              "a silent connection is remembered; usually 3600 for tcp, 60 for udp")
          .optional();
  private static final ResourceField CONNECTIONS =
      ResourceField.whole(
              "maxConnections", 1, VirtualIp.MOST_CONNECTIONS, "remembered, some 100 bytes each")
          .usual((long) VirtualIp.USUAL_CONNECTIONS);
  private static final ResourceField PER_CLIENT =
      ResourceField.whole(
              "maxPerClient",
              1,
              VirtualIp.MOST_CONNECTIONS,
              "remembered of one client address; usually "
                  + VirtualIp.USUAL_PER_CLIENT
                  + ", or maxConnections where that is less")
          .optional();

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "vips",
          "vip",
          "virtual IPs that stand for the members of a pool",
          Pattern.compile(ConfigNames.PATTERN),
          ConfigNames.ALLOWED,
          List.of(ADDRESS, PROTOCOL, PORT, POOL, PREFIX, VLAN, IDLE, CONNECTIONS, PER_CLIENT),
          EnumSet.allOf(Change.class));

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public List<TableRange> reads(@Nullable String id) {
    List<TableRange> ranges = new ArrayList<>();
    ranges.add(ConfigChanges.range(BalancerTables.VIPS, id));
    ranges.addAll(ConnectionCounts.OF_SERVICES);
    return ranges;
  }

  @Override
  public List<ResourceItem> items(NounInput input) {
    Map<Bytes, Long> connections = new HashMap<>();
    for (int i = 1; i < input.tables().size(); i++) {
      for (Entry entry : input.tables().get(i).entries()) {
        connections.put(entry.key(), entry.value().longWordAt(0));
      }
    }
    List<String> cannotRewrite =
        input.network().cannotRewrite().stream().map(Object::toString).sorted().toList();
    List<ResourceItem> items = new ArrayList<>();
    for (Entry entry : input.tables().get(0).entries()) {
      VirtualIp vip = VirtualIp.of(entry.key().toUtf8(), entry.value());
      ServiceAddress service = vip.service();
      items.add(
          new ResourceItem(
              vip.name(),
              entry.version(),
              ResourceValues.builder()
                  .text(ADDRESS.name(), Ipv4.text(service.ip()))
                  .text(PROTOCOL.name(), service.protocol().word())
                  .whole(PORT.name(), service.port())
                  .text(POOL.name(), vip.pool())
                  .whole(PREFIX.name(), vip.prefixLength())
                  .whole(VLAN.name(), vip.vlan())
                  .whole(IDLE.name(), vip.idleSeconds())
                  .whole(CONNECTIONS.name(), vip.maxConnections())
                  .whole(PER_CLIENT.name(), vip.maxPerClient())
                  .build(),
              ResourceValues.builder()
                  .text("mac", VirtualMac.address(service.ip()).toString())
                  .whole("connections", connections.getOrDefault(service.key(), 0L))
                  .texts("cannotRewrite", cannotRewrite)
                  .build()));
    }
    return items;
  }

  @Override
  public @Nullable ResourceResult objection(ResourceChange change, NetworkView network) {
    ResourceValues fields = ConfigChanges.fields(change);
    if (fields == null) {
      return null;
    }
    VirtualIp vip = vip(change.id(), fields);
    int ip = vip.service().ip();
    ServicePicture services = network.picture(ServicePicture.PICTURE);
    KnownHost host = network.hostWith(ip, vip.vlan());
    // Whoever claims an address that is a virtual IP already gets no answers, and changes nothing.
    if (host != null && services.at(ip) == null) {
      return new ResourceResult.Conflict(
          ADDRESS.name(),
          "address: host " + host.address() + " at " + host.location() + " has " + Ipv4.text(ip),
          "give an address that no host has, or take it from that host");
    }
    for (Member member : services.members()) {
      ResourceResult other =
          member.pool().equals(vip.pool())
              ? MemberResource.otherVlan(member, vip, POOL.name(), network)
              : null;
      if (other != null) {
        return other;
      }
    }
    return null;
  }

  private static VirtualIp vip(String name, ResourceValues fields) {
    TransportProtocol protocol =
        Coded.ofWord(TransportProtocol.values(), PROTOCOL.name(), fields.text(PROTOCOL.name()));
    int connections = (int) fields.whole(CONNECTIONS.name());
    return new VirtualIp(
        name,
        new ServiceAddress(
            protocol,
            Ipv4.parse(ADDRESS.name(), fields.text(ADDRESS.name())),
            (int) fields.whole(PORT.name())),
        (int) fields.whole(PREFIX.name()),
        (int) fields.whole(VLAN.name()),
        fields.text(POOL.name()),
        fields.has(IDLE.name()) ? (int) fields.whole(IDLE.name()) : protocol.usualIdleSeconds(),
        connections,
        fields.has(PER_CLIENT.name())
            ? (int) fields.whole(PER_CLIENT.name())
            : Math.min(VirtualIp.USUAL_PER_CLIENT, connections));
  }

  @Override
  public Command command(ResourceChange change) {
    long expected = ConfigChanges.expected(change);
    ResourceValues fields = ConfigChanges.fields(change);
    return fields == null
        ? BalancerCommands.removeVip(change.id(), expected)
        : BalancerCommands.put(vip(change.id(), fields), expected);
  }

  @Override
  public ResourceResult result(ResourceChange change, Reply reply) {
    return ConfigChanges.of(reply);
  }
}
