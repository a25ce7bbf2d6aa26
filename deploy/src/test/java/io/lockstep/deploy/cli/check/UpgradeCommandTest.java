package io.lockstep.deploy.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class UpgradeCommandTest {
  private static JsonNode shown(int active, int permitted, int... newest) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    shown.put("active", active).put("permitted", permitted);
    for (int one : newest) {
      shown.withArray("replicas").addObject().put("newest", one);
    }
    return shown;
  }

  @Test
  void commonVersionIsTheLeastAndUnknownWhileOneIsNotLinked() {
    assertThat(UpgradeCommand.common(shown(2, 0, 4, 3, 5))).isEqualTo(3);
    assertThat(UpgradeCommand.common(shown(2, 0, 4, 0, 5))).isZero();
    assertThat(UpgradeCommand.common(shown(2, 0))).isZero();
  }

  @Test
  void adviceSaysTheNextStep() {
    assertThat(UpgradeCommand.advice(shown(2, 0, 2, 2, 2)))
        .isEqualTo("The cluster is at version 2, the newest that every node knows.");
    assertThat(UpgradeCommand.advice(shown(2, 0, 3, 2, 2)))
        .isEqualTo(
            "The cluster is at version 2. Upgrade the other nodes; until a version is activated,"
                + " each can go back.");
    assertThat(UpgradeCommand.advice(shown(2, 0, 3, 3, 3)))
        .isEqualTo(
            "The cluster is at version 2. Every node knows version 3: lockstep upgrade activate.");
    assertThat(UpgradeCommand.advice(shown(2, 3, 3, 2, 3)))
        .isEqualTo(
            "The cluster is at version 2; version 3 is permitted, and waits for every node.");
    assertThat(UpgradeCommand.advice(shown(2, 0, 3, 0, 3)))
        .isEqualTo("The cluster is at version 2; not every node is linked.");
    assertThat(UpgradeCommand.advice(shown(2, 3, 3, 3, 3)))
        .isEqualTo("The cluster is at version 2; version 3 comes into force now.");
  }
}
