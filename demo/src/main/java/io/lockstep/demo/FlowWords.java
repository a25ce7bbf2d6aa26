package io.lockstep.demo;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.demo.screen.FlowList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Flow entries in words; hosts stand there by name. Pure. */
final class FlowWords {
  private static final Map<Integer, String> RESERVED =
      Map.of(
          PortNumbers.IN_PORT, "in_port",
          PortNumbers.FLOOD, "flood",
          PortNumbers.ALL, "all",
          PortNumbers.CONTROLLER, "controller",
          PortNumbers.LOCAL, "local",
          PortNumbers.NORMAL, "normal");

  private final Map<Long, String> hosts;

  FlowWords(List<HostSpec> hosts) {
    this.hosts =
        hosts.stream().collect(Collectors.toMap(host -> host.mac().value(), HostSpec::name));
  }

  /** Entries of all tables, in an order that counting packets does not change. */
  static FlowList list(String title, List<FlowEntry> entries, List<HostSpec> hosts) {
    FlowWords words = new FlowWords(hosts);
    return new FlowList(
        title,
        entries.stream()
            .map(
                entry ->
                    new FlowList.Entry(
                        entry.priority(),
                        words.match(entry.match()),
                        words.actions(entry.instructions()),
                        entry.packets()))
            .sorted(
                Comparator.comparingInt(FlowList.Entry::priority)
                    .reversed()
                    .thenComparing(FlowList.Entry::match))
            .toList());
  }

  /** For example {@code in_port=1 eth_dst=h3}. */
  String match(FlowMatch match) {
    if (match.isAny()) {
      return "any";
    }
    return match.fields().stream()
        .map(field -> name(field) + "=" + value(field, match))
        .collect(Collectors.joining(" "));
  }

  private static String name(OxmField field) {
    return field.name().toLowerCase(Locale.ROOT);
  }

  private String value(OxmField field, FlowMatch match) {
    long value = match.value(field.slot());
    if (!match.isExact(field)) {
      return hex(value) + "/" + hex(match.mask(field.slot()));
    }
    return switch (field) {
      case ETH_SRC, ETH_DST -> hosts.getOrDefault(value, new Mac(value).toString());
      case IN_PORT, VLAN_VID, IP_PROTO -> Long.toString(value);
      default -> hex(value);
    };
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  /** For example {@code port 2}. */
  String actions(Instructions instructions) {
    List<String> words = new ArrayList<>();
    instructions.apply().forEach(action -> words.add(word(action)));
    instructions.write().forEach(action -> words.add(word(action)));
    if (instructions.gotoTable() != Instructions.NO_TABLE) {
      words.add("table " + instructions.gotoTable());
    }
    return words.isEmpty() ? "drop" : String.join(", ", words);
  }

  private static String word(Action action) {
    return action instanceof Action.Output output
        ? RESERVED.getOrDefault(output.port(), "port " + Integer.toUnsignedString(output.port()))
        : action.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
