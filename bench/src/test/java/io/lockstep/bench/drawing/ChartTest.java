package io.lockstep.bench.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {
  private static Document drawn(Chart chart, List<FigurePoint> points) throws Exception {
    String svg = chart.svg(points);
    SvgTexts.assertLegible(svg);
    return SvgTexts.parsed(svg);
  }

  private static Chart chart() {
    return new Chart("Fig. <9> & more", "s", "the paper", "bench x, commit 12345678");
  }

  @Test
  void linesHaveOnePanelForEachUnitAndOneLineForEachProfile() throws Exception {
    Document picture =
        drawn(
            chart(),
            List.of(
                new FigurePoint("9", "a", 0, 1, "Mbit/s", 2.0),
                new FigurePoint("9", "a", 10, 7, "Mbit/s", 8.0),
                new FigurePoint("9", "b", 10, 3, "Mbit/s", null),
                new FigurePoint("9", "a", 10, 50, "%", null)));
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("Fig. <9> & more", "Mbit/s", "the paper", "commit 12345678");
    // A line of ours for each profile and unit, and one of the paper.
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(4);
  }

  @Test
  void thePaperIsNotNamedWhereItHasNoValue() throws Exception {
    Document picture = drawn(chart(), List.of(new FigurePoint("9", "a", 0, 1, "Mbit/s", null)));
    assertThat(picture.getDocumentElement().getTextContent()).doesNotContain("the paper");
  }

  @Test
  void noLineJoinsValuesOfThePaperAcrossAPointWithoutOne() throws Exception {
    List<FigurePoint> points = new ArrayList<>();
    for (int x = 0; x < 5; x++) {
      points.add(new FigurePoint("9", "a", x, x, "Mbit/s", x == 2 ? null : 10.0 * x));
    }
    // Ours, and the paper's on both sides.
    assertThat(drawn(chart(), points).getElementsByTagName("polyline").getLength()).isEqualTo(3);
  }

  @Test
  void eightPanelsAreNoTallerThanWideEnoughToRead() throws Exception {
    List<FigurePoint> points = new ArrayList<>();
    for (int panel = 0; panel < 8; panel++) {
      points.add(new FigurePoint("20", "placer", 10, 0.5, "family " + panel, 0.5));
      points.add(new FigurePoint("20", "placer", 50, 0.9, "family " + panel, 0.9));
    }
    String height = drawn(chart(), points).getDocumentElement().getAttribute("height");
    assertThat(Integer.parseInt(height)).isLessThan(1500);
  }

  @Test
  void sixteenPanelsFitAPage() throws Exception {
    List<FigurePoint> points = new ArrayList<>();
    for (int panel = 0; panel < 16; panel++) {
      points.add(new FigurePoint("18", "placer", 10, 0.5, "family " + panel, 0.5));
      points.add(new FigurePoint("18", "placer", 50, 0.9, "family " + panel, 0.9));
    }
    String height = drawn(chart(), points).getDocumentElement().getAttribute("height");
    assertThat(Integer.parseInt(height)).isLessThan(1100);
  }

  @Test
  void aCurveUnderOthersIsWiderThanThey() throws Exception {
    List<FigurePoint> points = new ArrayList<>();
    for (String policy : List.of("first", "second", "third", "apart")) {
      points.add(new FigurePoint("18", policy, 10, 0.5, "acl", null));
      points.add(
          new FigurePoint("18", policy, 50, policy.equals("apart") ? 0.6 : 0.9, "acl", null));
    }
    NodeList lines = drawn(chart(), points).getElementsByTagName("polyline");
    List<String> widths = new ArrayList<>();
    for (int i = 0; i < lines.getLength(); i++) {
      widths.add(((Element) lines.item(i)).getAttribute("stroke-width"));
    }
    assertThat(widths).containsExactly("6.2", "4.0", "1.8", "1.8");
  }

  @Test
  void namesOnTheHorizontalAxisMakeBars() throws Exception {
    Document picture =
        drawn(
            chart(),
            List.of(
                new FigurePoint("9", "3500yl-1.0", "hardware", 941, "Mbit/s", 941.0),
                new FigurePoint("9", "3500yl-1.0", "software", 14.4, "Mbit/s", 14.0)));
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("3500yl-1.0, hardware", "3500yl-1.0, software", "941", "14");
    // The background, two samples, and two bars for each point.
    assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(7);
  }
}
