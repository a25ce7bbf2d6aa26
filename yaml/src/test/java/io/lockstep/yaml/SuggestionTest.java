package io.lockstep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
  private static final List<String> KNOWN = List.of("members", "node", "no");

  @Test
  void theNearestWordWithinTwoEditsIsFound() {
    assertThat(Suggestion.nearest("nod", KNOWN)).hasValue("node");
    assertThat(Suggestion.nearest("Membres", KNOWN)).hasValue("members");
    assertThat(Suggestion.nearest("colour", KNOWN)).isEmpty();
    assertThat(Suggestion.nearest("xy", KNOWN)).as("all letters changed").isEmpty();
  }
}
