package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The smallest run of the path through three nodes. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ProductStudyIT {
  @TempDir private Path directory;

  @Test
  void rulesOfARestClientAreReadBesideTheReferences() throws Exception {
    Path out = directory.resolve("p.json");
    String arguments =
        "placer --rules 6 --shares 0.5 --profiles ovs-small --families PREFIXES --sets 1 --changes 0"
            + " --packets 100 --product-rules 60 --product-share 0.4 --product-profiles"
            + " ovs-small,5130 --settle-seconds 0 --swap 5 --out ";
    assertThat(BenchMain.run((arguments + out).split(" "))).isZero();
    List<JsonNode> points = new ArrayList<>();
    for (JsonNode point : new ObjectMapper().readTree(out.toFile())) {
      if (point.get("path").asText().equals("product")) {
        points.add(point);
      }
    }
    assertThat(points)
        .extracting(point -> point.get("profile").asText() + " " + point.get("policy").asText())
        .containsExactly(
            "ovs-small arrival",
            "ovs-small placer",
            "ovs-small fill",
            "ovs-small residualGreedy",
            "5130 arrival",
            "5130 placer",
            "5130 fill",
            "5130 residualGreedy");
    for (JsonNode point : points) {
      assertThat(point.get("shareOfOptimum").isNull()).isTrue();
      assertThat(point.get("minShareOfOptimum").isNull()).isTrue();
      assertThat(point.get("mismatches").asLong()).isZero();
      assertThat(point.get("packetsChecked").asLong()).isPositive();
      assertThat(point.get("hardwareTrafficShare").asDouble()).isBetween(0.05, 1.0);
    }
    assertThat(directory.resolve("p.product.svg")).content().contains("ovs-small", "5130");
    JsonNode phases = new ObjectMapper().readTree(directory.resolve("p.phases.json").toFile());
    assertThat(phases)
        .extracting(phase -> phase.get("profile").asText() + " " + phase.get("phase").asText())
        .containsExactly("ovs-small swap", "5130 swap");
    JsonNode moving = phases.get(0);
    assertThat(moving.get("swappedRules").asInt()).isEqualTo(5);
    assertThat(moving.get("changedPlaces").asInt()).as("rules that moved").isPositive();
    assertThat(moving.get("flowMods").asLong()).isPositive();
    assertThat(moving.get("hardwareTrafficShare").asDouble())
        .isGreaterThan(moving.get("hardwareTrafficShareBefore").asDouble());
  }
}
