package io.lockstep.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.rules.CheckoutClasses.CheckoutClass;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What the rules look at: a rule that sees nothing holds always. */
class CheckoutClassesTest {
  private static CheckoutClass named(String name) {
    return CheckoutClasses.all().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyModuleHasClasses() {
    Set<String> seen =
        CheckoutClasses.all().stream().map(CheckoutClass::module).collect(Collectors.toSet());
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(CheckoutClasses.modules())
        .contains("datastore", "deploy", "history", "bench", "bench/runs", "bench/peer-etcd");
  }

  @Test
  void classUsesWhatItExtendsCallsAndHasInDescriptors() {
    assertThat(named("io.lockstep.bench.openflow.PacedLoop").uses())
        .contains(
            "io.lockstep.bench.openflow.FlowLoop",
            "io.lockstep.bench.openflow.Sender",
            "io.lockstep.bench.measure.Window")
        .doesNotContain("io.lockstep.bench.openflow.PacedLoop");
  }

  @Test
  void nestedClassKeepsItsOwnName() {
    CheckoutClass nested = named("io.lockstep.store.Command$Put");
    assertThat(nested.simpleName()).isEqualTo("Put");
    assertThat(nested.isNested()).isTrue();
    assertThat(nested.isAnonymous()).isFalse();
    assertThat(nested.packageName()).isEqualTo("io.lockstep.store");
  }

  @Test
  void usesWithinARoomAreThoseOfOutermostClasses() {
    assertThat(CheckoutClasses.usesWithin("io.lockstep.bench.openflow"))
        .containsKey("PlayedSwitch")
        .doesNotContainKey("PlayedSwitch$Listener")
        .extractingByKey("OpenFlowLoad")
        .asInstanceOf(InstanceOfAssertFactories.collection(String.class))
        .contains("PlayedSwitch", "FlowExchange")
        .doesNotContain("OpenFlowLoad");
  }
}
