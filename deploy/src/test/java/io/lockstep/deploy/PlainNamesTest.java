package io.lockstep.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Type names of the product, nested types too, say in the field's terms what a type does. The part
 * "Names" of ADR 0020 has the list of what a name must not be, and its reasons.
 */
class PlainNamesTest {
  /**
   * Types that had such a name when this test was written. The test fails when one of them is gone,
   * so the list can only shrink.
   */
  private static final Set<String> KNOWN =
      Set.of(
          "core.mastership.Mastery",
          "core.packet.ApplicationTimers$Teller",
          "core.packet.PacketCounters$Fate",
          "core.packet.PacketDispatcher$Stations",
          "core.packet.ProcessorChain$Showing",
          "deploy.node.Closing",
          "openflow.channel.Peer$Closing");

  @Test
  void noNameHidesWhatItsTypeDoes() {
    Set<String> found =
        TypeNamesTest.types().stream()
            .filter(type -> PlainNames.isHiding(type.getSimpleName()))
            .map(PlainNamesTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).as("types with a name from the list of ADR 0020").containsAll(KNOWN);
    found.removeAll(KNOWN);
    assertThat(found).as("new types with a name from the list of ADR 0020").isEmpty();
  }

  @Test
  void listFindsPrefixesSuffixesAndWholeNames() {
    assertThat(
            Set.of(
                "FlowManager", "ManagerOfFlows", "FlowUtil", "FlowUtils", "FlowHelper", "FlowImpl"))
        .allMatch(PlainNames::isHiding);
    assertThat(Set.of("DefaultFlow", "AbstractFlow", "IFlow", "Turns"))
        .allMatch(PlainNames::isHiding);
    assertThat(Set.of("IpFrame", "Ipv4", "Instruction", "Implicit", "Defaults", "TurnsReport"))
        .noneMatch(PlainNames::isHiding);
  }

  private static String name(JavaClass type) {
    return type.getName().substring("io.lockstep.".length());
  }
}
