package io.lockstep.deploy.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTallyTest {
  private static final String SUREFIRE =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="a.FirstTest" tests="4" errors="1" skipped="1" failures="1">
        <testcase name="works" classname="a.FirstTest" time="0.1"/>
        <testcase name="waits" classname="a.FirstTest"><skipped message="no Open vSwitch"/></testcase>
        <testcase name="breaks" classname="a.FirstTest"><failure message="1 &lt; 2"/></testcase>
        <testcase name="throws" classname="a.FirstTest"><error/></testcase>
      </testsuite>
      """;

  @TempDir private Path root;

  private void report(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private String printed(boolean buildFailed, boolean noSkip, boolean expectGood) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(TestTally.read(root).print(out, buildFailed, noSkip)).isEqualTo(expectGood);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static final String ONE_GOOD =
      "<testsuite><testcase name=\"walks\" classname=\"b.SecondIT\"/></testsuite>";

  @Test
  void countsUnitAndIntegrationTestsOfAllModulesAndEndsWithTheCount() throws IOException {
    report("m/target/surefire-reports/TEST-a.FirstTest.xml", SUREFIRE);
    report("n/o/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    report("n/o/target/failsafe-reports/failsafe-summary.xml", "<failsafe-summary/>");
    assertThat(printed(true, false, false))
        .contains("FAILED  FirstTest.breaks", "FAILED  FirstTest.throws")
        .contains("SKIPPED FirstTest.waits: no Open vSwitch")
        .endsWith("\n2 passed, 2 failed, 1 skipped\nTests: 2 passed, 2 failed, 1 skipped\n");
  }

  @Test
  void aSkipIsAFailureOnlyWhenAskedFor() throws IOException {
    report(
        "m/target/surefire-reports/TEST-c.xml",
        "<testsuite><testcase name=\"a\" classname=\"C\"/>"
            + "<testcase name=\"b\" classname=\"C\"><skipped/></testcase></testsuite>");
    assertThat(printed(false, false, true)).contains("SKIPPED C.b: no reason given");
    assertThat(printed(false, true, false)).contains("Skipped tests count as failures here");
  }

  @Test
  void aBuildThatFailedOutsideOfTestsIsNotGood() throws IOException {
    report("m/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    assertThat(printed(true, false, false))
        .contains("failed outside of the tests")
        .endsWith("Tests: 1 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void nothingRanIsNotGood() {
    assertThat(printed(false, false, false)).endsWith("Tests: 0 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void aReportThatWasCutOffIsAFailure() throws IOException {
    report("m/target/surefire-reports/TEST-a.FirstTest.xml", SUREFIRE.substring(0, 200));
    assertThat(printed(false, false, false)).contains("FAILED  TEST-a.FirstTest.xml: cut off");
  }
}
