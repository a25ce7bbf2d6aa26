package org.example.blocklist;

import io.lockstep.core.app.*;
import io.lockstep.store.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;
import org.onlab.packet.MacAddress;
import org.onosproject.net.flow.*;

/** Cuts hosts off the network, and counts in the store how often each of them tried. */
public final class BlockList implements ApplicationProvider {
  static final String NAME = "block-list";
  static final String TABLE = "apps.block-list";

  @Override
  public String name() {
    return NAME;
  }

  /** Before the learning switch, which is asked last. */
  @Override
  public int priority() {
    return USUAL_PRIORITY;
  }

  @Override
  public List<ConfigurationKey> configuration() {
    return List.of(
        new ConfigurationKey.Texts(
            "hosts",
            Pattern.compile("([0-9a-f]{2}:){5}[0-9a-f]{2}"),
            "addresses such as 02:00:00:00:00:01"),
        new ConfigurationKey.Whole("blockSeconds", 60, 1, 3_600, "seconds"));
  }

  @Override
  public Map<String, TableSpec> tables() {
    return Map.of(TABLE, TableSpec.values());
  }

  /** What 'lockstep app block-list tries' shows. */
  @Override
  public List<Noun> nouns() {
    return List.of(
        Noun.ofTable("tries", "how often each blocked host tried", TABLE, List.of("host", "tries"),
            tried -> List.of(tried.key().toUtf8(), "" + tried.value().longWordAt(0))));
  }

  @Override
  public PacketApplication create(ApplicationConfiguration configuration) {
    Set<MacAddress> hosts =
        configuration.texts("hosts").stream().map(MacAddress::valueOf).collect(Collectors.toSet());
    return new Blocker(hosts, configuration.whole("blockSeconds"));
  }

  /** The application: a packet in, a decision out. It keeps nothing; the store does. */
  record Blocker(Set<MacAddress> hosts, int blockSeconds) implements PacketApplication {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView network) {
      if (hosts.contains(packet.source())) {
        Command count = new Command.Increment(TABLE, Bytes.utf8(packet.source().toString()), 1);
        return new Decision.Ask(count, reply -> block(packet.source()));
      }
      return hosts.contains(packet.destination()) ? Decision.DROP : Decision.PASS;
    }

    /** The switch drops the host's packets from now on; this one goes nowhere, too. */
    private Decision block(MacAddress host) {
      TrafficSelector from = DefaultTrafficSelector.builder().matchEthSrc(host).build();
      TrafficTreatment drop = DefaultTrafficTreatment.builder().drop().build();
      return Decision.act(new Instruction.InstallFlow(from, drop, 100, 0, blockSeconds));
    }
  }
}
