package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacerStudyTest {
  @TempDir private Path directory;

  private static PlacerPoint point(String policy, double share, @Nullable Double ofOptimum) {
    return point(PlacerPoint.PURE, policy, share, ofOptimum);
  }

  private static PlacerPoint point(
      String path, String policy, double share, @Nullable Double ofOptimum) {
    return new PlacerPoint(
        "acl",
        "2920",
        18,
        0.1,
        "zipf",
        path,
        policy,
        share,
        ofOptimum,
        ofOptimum == null ? null : ofOptimum / 2,
        1,
        2,
        0,
        3);
  }

  @Test
  void allPoliciesOfASwitchThatWantsAPortAreComparedWithTheOptimum() {
    List<PlacerPoint> points =
        new PlacerStudy(RuleFamily.ACL, "2920", 12, 0.25, true)
            .points(new PlacerStudy.Effort(2, 5, 2_000));
    assertThat(points)
        .extracting(PlacerPoint::policy)
        .containsExactly(
            "optimum",
            "placer",
            "coverOnly",
            "closureOnly",
            "firstCome",
            "arrival",
            "residualGreedy");
    assertThat(points).extracting(PlacerPoint::mismatches).containsOnly(0L);
    assertThat(points.get(1).hardwareTrafficShare()).isPositive();
    assertThat(points.get(1).packetsChecked()).isGreaterThanOrEqualTo(2_000);
    assertThat(points.get(1).shareOfOptimum()).isBetween(0.9, 1.0);
    for (PlacerPoint point : points) {
      assertThat(point.minShareOfOptimum()).isLessThanOrEqualTo(point.shareOfOptimum());
      assertThat(point.path()).isEqualTo("pure");
    }
  }

  @Test
  void theListHasTheKeysOfEveryPoint() throws Exception {
    Path out = directory.resolve("p.json");
    String arguments =
        "placer --rules 8 --shares 0.5 --profiles ideal --families ACL --sets 1 --changes 2"
            + " --packets 100 --product-rules 0 --out ";
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
              "path",
              "policy",
              "hardwareTrafficShare",
              "shareOfOptimum",
              "minShareOfOptimum",
              "flowMods",
              "packetsChecked",
              "mismatches",
              "millis");
    }
    assertThat(directory.resolve("p.8.svg"))
        .content()
        .contains("The placer alone, 8 rules", "acl, zipf", "</svg>");
    assertThat(directory.resolve("p.product.svg")).doesNotExist();
    assertThat(directory.resolve("p.json.run.json")).exists();
  }

  @Test
  void thePictureOfTheProductHasABarForEachOfItsPolicies() {
    String picture =
        ProductPicture.svg(
            List.of(
                point("placer", 0.111, 0.5),
                point(PlacerPoint.PRODUCT, "arrival", 0.222, null),
                point(PlacerPoint.PRODUCT, "placer", 0.333, null),
                point(PlacerPoint.PRODUCT, "fill", 0.444, null),
                point(PlacerPoint.PRODUCT, "residualGreedy", 0.555, null)),
            "bench placer, commit abc");
    assertThat(picture)
        .contains("Through three nodes", "2920, 18 rules, 10 %", ">acl<", "commit abc")
        .contains("0.222", "0.333", "0.444")
        .doesNotContain("0.111", "0.555");
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
        .contains(
            "acl 0.400 = 2.00 x (optimum 2.50 x)",
            "0.8000 of what the optimum serves (worst point 0.8000, worst set 0.4000)");
    assertThat(good.belowFirstCome()).isEmpty();
    assertThat(good.figure(18)).extracting(p -> p.paper()).contains(0.5);
    PlacerSummary product =
        new PlacerSummary(
            List.of(
                point(PlacerPoint.PRODUCT, "placer", 0.3, null),
                point(PlacerPoint.PRODUCT, "fill", 0.4, null)));
    assertThat(product.lines())
        .containsExactly(
            "product: the placer serves 0.750 times what fill serves (worst point 0.750: acl on"
                + " 2920, 18 rules, zipf)");
    assertThat(product.figure(18)).isEmpty();
    PlacerSummary bad =
        new PlacerSummary(List.of(point("placer", 0.1, 0.5), point("firstCome", 0.2, 1.0)));
    assertThat(bad.belowFirstCome()).hasSize(1);
  }
}
