package io.lockstep.bench.switchmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ChartTest {
  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  @Test
  void linesHaveOnePanelForEachUnitAndOneLineForEachProfile() throws Exception {
    Document picture =
        parsed(
            Chart.svg(
                "Fig. <9> & more",
                "s",
                "dashed: the paper",
                List.of(
                    new FigurePoint("9", "a", 0, 1, "Mbit/s", 2.0),
                    new FigurePoint("9", "a", 10, 7, "Mbit/s", 8.0),
                    new FigurePoint("9", "b", 10, 3, "Mbit/s", null),
                    new FigurePoint("9", "a", 10, 50, "%", null))));
    assertThat(picture.getDocumentElement().getTextContent()).contains("Fig. <9> & more", "Mbit/s");
    // A line of ours and one of the paper for each profile and unit.
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(6);
    assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(2);
  }

  @Test
  void namesOnTheHorizontalAxisMakeBars() throws Exception {
    Document picture =
        parsed(
            Chart.svg(
                "bars",
                "",
                "dashed: the paper",
                List.of(
                    new FigurePoint("9", "a", "hardware", 941, "Mbit/s", 941.0),
                    new FigurePoint("9", "a", "software", 14.4, "Mbit/s", 14.0))));
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("hardware", "software", "941", "14");
    assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(3);
  }

  @Test
  void table2HasACellForEachPointAndThePapersNumberWhereItDiffers() throws Exception {
    Document picture =
        parsed(
            Table2Figure.svg(
                List.of(
                    new FigurePoint("table2", "2920", "in_port", 460, "hardware rules", 460.0),
                    new FigurePoint("table2", "2920", "eth_src", 7, "hardware rules", 0.0),
                    new FigurePoint("table2", "5700", "in_port", 0, "hardware rules", null))));
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("2920", "up to eth_src", "460", "7 (0)", "0 (not known)");
    assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(4);
  }

  @Test
  void ticksAreRoundAndReachTheTop() {
    assertThat(Axis.upTo(941, 0, 1).ticks())
        .containsExactly(0.0, 200.0, 400.0, 600.0, 800.0, 1000.0);
    assertThat(Axis.upTo(6, 0, 1).ticks()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    assertThat(Axis.upTo(0, 0, 1).to()).isEqualTo(1);
    assertThat(Axis.upTo(50, 100, 0).pixel(50)).isEqualTo(0);
    assertThat(Axis.label(0.25)).isEqualTo("0.25");
  }

  @Test
  void aFindingIsGoodWithinItsToleranceOnBothSides() {
    Findings findings = new Findings();
    findings.near("3", "above", 120, 100, 20);
    findings.near("3", "below", 79, 100, 20);
    assertThat(findings.findings().get(0).good()).isTrue();
    assertThat(findings.findings().get(1).good()).isFalse();
    assertThat(findings.findings().get(1).toString())
        .isEqualTo(
            "Fig. 3: below: 79.0, paper 100.0, -21.0 % (tolerance 20 %) - NOT as in the paper");
  }
}
