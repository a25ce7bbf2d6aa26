package io.lockstep.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.rules.CheckoutClasses.CheckoutClass;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Type names of all modules, nested types too, say in the field's terms what a type does. The part
 * "Names" of ADR 0020 has the list of what a name must not be, and its reasons.
 */
class PlainNamesTest {
  /** Beginnings and ends that fit every class, so they say nothing about one. */
  private static final Pattern EMPTY =
      Pattern.compile(
          "(Manager|Utils?|Helper|Impl|Default|Abstract)(?![a-z]).*"
              + "|.*(Manager|Utils?|Helper|Impl)"
              + "|I[A-Z][a-z].*");

  /** Whole names that hide a role: a reader cannot guess from them what the type does. */
  private static final Set<String> HIDING =
      Set.of(
          ("Aside Basis Beats Blocked Books Closing Consensuses Decisions Deed Differences Explaining"
                  + " Fate Filling Frames Improving Lies Logical Look Mastery Matched NamedThings"
                  + " Names Numbering Obituary Placed Restored Restoring Sealed Seen Shadows Showing"
                  + " Site Standing Standings Stations TakenBack Teller Turn Turns Upkeep Wanted"
                  + " Watchkeeper Way Wishes")
              .split(" "));

  @Test
  void noNameHidesWhatItsTypeDoes() {
    Set<String> found =
        CheckoutClasses.all().stream()
            .filter(type -> !type.isAnonymous() && isHiding(type.simpleName()))
            .map(PlainNamesTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).as("types with a name from the list of ADR 0020").isEmpty();
  }

  @Test
  void listFindsPrefixesSuffixesAndWholeNames() {
    assertThat(
            Set.of(
                "FlowManager", "ManagerOfFlows", "FlowUtil", "FlowUtils", "FlowHelper", "FlowImpl"))
        .allMatch(PlainNamesTest::isHiding);
    assertThat(Set.of("DefaultFlow", "AbstractFlow", "IFlow", "Turns"))
        .allMatch(PlainNamesTest::isHiding);
    assertThat(Set.of("IpFrame", "Ipv4", "Instruction", "Implicit", "Defaults", "TurnsReport"))
        .noneMatch(PlainNamesTest::isHiding);
  }

  private static boolean isHiding(String name) {
    return EMPTY.matcher(name).matches() || HIDING.contains(name);
  }

  private static String name(CheckoutClass type) {
    return type.name().substring("io.lockstep.".length());
  }
}
