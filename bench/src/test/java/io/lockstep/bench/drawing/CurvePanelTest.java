package io.lockstep.bench.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CurvePanelTest {
  private final CurvePanel panel = new CurvePanel("title", "x, m", "y, s", true);

  private String drawn() throws Exception {
    SvgPicture picture = new SvgPicture(500, 400);
    panel.draw(picture, new Area(0, 0, 500, 400));
    SvgTexts.assertLegible(picture.xml());
    return picture.xml();
  }

  private static int count(String svg, String part) {
    return svg.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void labelsThatWouldCoverOthersAreLeftOut() throws Exception {
    List<CurvePoint> crowd = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      crowd.add(new CurvePoint(10 + i * 0.01, 5 + i * 0.01, null, null, "point" + i));
    }
    panel.add(new Curve("a", LineStyle.of(0), crowd));
    String svg = drawn();
    assertThat(svg).contains("point199");
    assertThat(count(svg, ">point")).isBetween(1, 40);
  }

  @Test
  void comparedValueIsAHollowMarkWithItsName() throws Exception {
    panel.add(new Curve("a", LineStyle.of(1), List.of(new CurvePoint(1, 2), new CurvePoint(3, 4))));
    panel.compare(
        new Curve("b", LineStyle.of(1), List.of(new CurvePoint(2, 3, null, null, "the paper's"))));
    assertThat(drawn()).contains("the paper's", "fill=\"none\" stroke=\"black\"");
  }

  @Test
  void comparedValueWithoutLatencyIsAVerticalLineWithinThePlot() throws Exception {
    panel.add(new Curve("a", LineStyle.of(0), List.of(new CurvePoint(1, 2))));
    panel.compareAt(10, "paper 10");
    panel.compareAt(10.1, "paper 10.1");
    assertThat(drawn()).contains("paper 10<", "paper 10.1", "stroke-dasharray=\"1.5,3\"");
  }

  @Test
  void aLongComparedLineHasMarksAtItsEndsOnly() throws Exception {
    List<CurvePoint> line = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      line.add(new CurvePoint(i, 5));
    }
    panel.compare(new Curve("b", LineStyle.of(0), line));
    String svg = drawn();
    assertThat(count(svg, "<circle")).isEqualTo(2);
    assertThat(svg).contains("<polyline");
  }

  @Test
  void aPanelWithoutCurvesStillHasItsAxes() throws Exception {
    assertThat(drawn()).contains("x, m", "y, s", "title");
  }
}
