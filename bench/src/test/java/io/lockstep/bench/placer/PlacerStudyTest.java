package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacerStudyTest {
  @TempDir private Path directory;

  private static PlacerPoint point(String policy, double share, Double ofOptimum) {
    return new PlacerPoint("acl", "2920", 20, 0.1, "zipf", policy, share, ofOptimum, 1, 2, 0, 3);
  }

  @Test
  void allPoliciesOfASwitchThatWantsAPortAreComparedWithTheOptimum() {
    List<PlacerPoint> points =
        new PlacerStudy(RuleFamily.ACL, "2920", 12, 0.25, true)
            .points(new PlacerStudy.Effort(2, 5, 2_000));
    assertThat(points)
        .extracting(PlacerPoint::policy)
        .containsExactly("optimum", "placer", "coverOnly", "closureOnly", "firstCome");
    assertThat(points).extracting(PlacerPoint::mismatches).containsOnly(0L);
    assertThat(points.get(1).hardwareTrafficShare()).isPositive();
    assertThat(points.get(1).packetsChecked()).isGreaterThanOrEqualTo(2_000);
    assertThat(points.get(1).shareOfOptimum()).isBetween(0.9, 1.0);
  }

  @Test
  void theListHasTheKeysOfEveryPoint() throws Exception {
    Path out = directory.resolve("p.json");
    String arguments =
        "placer --rules 8 --shares 0.5 --profiles ideal --families ACL --sets 1 --changes 2"
            + " --packets 100 --out ";
    assertThat(BenchMain.run((arguments + out).split(" "))).isZero();
    for (JsonNode point : new ObjectMapper().readTree(out.toFile())) {
      assertThat(point.fieldNames())
          .toIterable()
          .containsExactly(
              "ruleSet",
              "profile",
              "rules",
              "capacityShare",
              "traffic",
              "policy",
              "hardwareTrafficShare",
              "shareOfOptimum",
              "flowMods",
              "packetsChecked",
              "mismatches",
              "millis");
    }
    assertThat(directory.resolve("p.8.svg")).content().contains("acl, zipf", "</svg>");
    assertThat(directory.resolve("p.json.run.json")).exists();
  }

  @Test
  void theSummaryTellsRatiosAndWhereFirstComeIsBetter() {
    PlacerSummary good =
        new PlacerSummary(
            List.of(
                point("optimum", 0.5, 1.0),
                point("placer", 0.4, 0.8),
                point("firstCome", 0.2, 0.4)));
    assertThat(String.join("\n", good.lines()))
        .contains("acl 0.400 = 2.00 x (optimum 2.50 x)", "0.8000 of what the optimum serves");
    assertThat(good.belowFirstCome()).isEmpty();
    assertThat(good.figure(20)).extracting(p -> p.paper()).contains(0.5);
    PlacerSummary bad =
        new PlacerSummary(List.of(point("placer", 0.1, 0.5), point("firstCome", 0.2, 1.0)));
    assertThat(bad.belowFirstCome()).hasSize(1);
  }
}
