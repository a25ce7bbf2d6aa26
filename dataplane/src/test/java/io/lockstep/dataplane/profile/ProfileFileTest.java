package io.lockstep.dataplane.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.HardwareProfile.Lookup;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import io.lockstep.dataplane.profile.TableProfile.Otherwise;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ProfileFileTest {
  static final List<String> NAMES = ProfileFile.BUILT_IN;

  @TempDir private Path directory;

  private static List<String> problems(String text) {
    ProfileException failure =
        catchThrowableOfType(ProfileException.class, () -> ProfileFile.parse("mine.yaml", text));
    assertThat(failure).as("the profile is refused").isNotNull();
    assertThat(failure.getMessage()).startsWith("mine.yaml:");
    return failure.problems().stream()
        .map(problem -> problem.describe("mine").replace("\n    remedy:", ";"))
        .toList();
  }

  private static String text(String name) throws IOException {
    String resource = "/io/lockstep/dataplane/profile/" + name + ".yaml";
    try (InputStream in = ProfileFileTest.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void builtInProfilesAreSoundAndNamedLikeTheirFiles(String name) throws IOException {
    HardwareProfile profile = ProfileFile.builtIn(name);
    assertThat(profile.name()).isEqualTo(name);
    assertThat(profile.notes()).isNotEmpty();
    assertThat(profile.description().manufacturer()).isNotBlank();
  }

  @Test
  void aProfileSaysWhatIsKnown() throws IOException {
    HardwareProfile profile = ProfileFile.builtIn("2920");
    assertThat(profile.openFlow()).isEqualTo("1.0");
    assertThat(profile.description().hardware()).isEqualTo("HP 2920-24G J9726A");
    assertThat(profile.lookup()).isEqualTo(Lookup.HARDWARE_FIRST);
    TableProfile only = profile.tables().get(0);
    assertThat(only.whenFull()).isEqualTo(Otherwise.SPILL);
    MemoryProfile hardware = Objects.requireNonNull(only.hardware());
    assertThat(hardware.units()).isEqualTo(460);
    assertThat(hardware.required()).containsExactly(OxmField.IN_PORT);
    assertThat(hardware.allowed()).doesNotContain(OxmField.ETH_SRC, OxmField.ETH_DST);
    assertThat(Objects.requireNonNull(only.software()).units()).isEqualTo(MemoryProfile.UNBOUNDED);
    assertThat(profile.promotion()).isEqualTo(new PromotionProfile(Order.FIFO, 20, true));
    assertThat(Objects.requireNonNull(profile.software()).packetsPerSecond()).isEqualTo(2000);
  }

  @Test
  void sharesAreRoundedDown() throws IOException {
    assertThat(hardwareUnits(ProfileFile.builtIn("2920").withPolicyShare(5))).isEqualTo(23);
    assertThat(hardwareUnits(ProfileFile.builtIn("3500yl-1.0").withPolicyShare(5))).isEqualTo(76);
    assertThat(hardwareUnits(ProfileFile.builtIn("2920").withPolicyShare(0))).isZero();
    assertThatThrownBy(() -> ProfileFile.builtIn("5130").withPolicyShare(5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static long hardwareUnits(HardwareProfile profile) {
    return Objects.requireNonNull(profile.sharedTables().get(0).hardware()).units();
  }

  @Test
  void costsAreTakenInTheirOrder() {
    MemoryProfile memory =
        new MemoryProfile(
            100,
            Set.of(OxmField.values()),
            Set.of(),
            Set.of(),
            Set.of(),
            List.of(
                new EntryCost(Set.of(OxmField.IN_PORT), null, 4),
                new EntryCost(null, Set.of(OxmField.IPV6_DST), 6)));
    assertThat(memory.cost(Set.of(OxmField.IN_PORT))).isEqualTo(4);
    assertThat(memory.cost(Set.of())).isEqualTo(4);
    assertThat(memory.cost(Set.of(OxmField.ETH_TYPE, OxmField.IPV6_DST))).isEqualTo(6);
    assertThat(memory.cost(Set.of(OxmField.ETH_TYPE))).isEqualTo(1);
    assertThat(memory.mostEntries()).isEqualTo(100);
  }

  @Test
  void allProblemsAreNamedWithLineAndField() {
    assertThat(
            problems(
                """
                name: mine
                openflow: "1.1"
                colour: red
                tables:
                  - name: first
                    hardware:
                      units: many
                      allowed: [in_port, eth_colour, in_port]
                      required: [eth_dst]
                      costs:
                        - {only: [in_port], units: 0}
                  - name: second
                  - {name: third, hardware: {units: 10}, full: spill}
                  - surprise
                promotion: {order: random}
                softwarePath: {packetsPerSecond: 20, maxPacketsPerSecond: 10}
                policyEngine: {sharePercent: 101}
                lineRateMbit: fast
                """))
        .contains(
            "mine:2:11: openflow: '1.1' is not allowed; did you mean '1.0'? write '1.0' or '1.3'",
            "mine:3:1: colour: unknown key; known keys here: name, openflow, description, tables,"
                + " groups, lookup, softwarePath, promotion, policyEngine, lineRateMbit,"
                + " idleCpuPercent, notes",
            "mine:7:14: tables[0].hardware.units: 'many' is not a whole number; give a whole number"
                + " from 0 to 10000000",
            "mine:8:26: tables[0].hardware.allowed: 'eth_colour' is no field; use the names of OXM"
                + " fields, for example in_port, ipv4_dst or tcp_src",
            "mine:8:38: tables[0].hardware.allowed: 'in_port' is there twice; list it once",
            "mine:9:17: tables[0].hardware.required: eth_dst is required and not allowed; allow it,"
                + " or do not require it",
            "mine:11:36: tables[0].hardware.costs[0].units: 0 is out of bounds; give a whole number"
                + " from 1 to 10000000",
            "mine:12:5: tables[1].hardware: table 'second' has no memory; add hardware or software",
            "mine:13:48: tables[2].full: 'spill' without software; add software, or write 'reject'",
            "mine:14:5: tables[3]: keys are expected here; write it as 'key: value' lines",
            "mine:15:12: promotion: no table has both hardware and software; leave promotion out",
            "mine:15:20: promotion.order: 'random' is not allowed; write 'fifo' or 'lifo'",
            "mine:16:34: softwarePath.packetsPerSecond: 20 is above maxPacketsPerSecond; give a"
                + " whole number from 1 to 10",
            "mine:17:30: policyEngine.sharePercent: 101 is out of bounds; give a whole number from"
                + " 0 to 100 (percent)",
            "mine:18:15: lineRateMbit: 'fast' is not a whole number; give a whole number from 1 to"
                + " 1000000 (megabits per second)");
  }

  @Test
  void documentsThatAreNoProfileAreRefused() {
    assertThat(problems(""))
        .containsExactly(
            "mine:1:1: name: missing; give it a name",
            "mine:1:1: tables: missing; list them, table 0 first");
    assertThat(problems("- a\n- b")).first().asString().contains("keys are expected here");
    assertThat(problems("name: x"))
        .containsExactly("mine:1:1: tables: missing; list them, table 0 first");
    assertThat(problems("name: x\ntables: []")).hasSize(1);
    assertThat(problems("name: x\ntables:\n  - {name: t, hardware: {units: 5}, overridden: true}"))
        .containsExactly(
            "mine:3:49: tables[0].overridden: no table comes after the last one; leave it out"
                + " there");
    assertThat(problems("name: [x\n")).hasSize(1).first().asString().contains("this is not YAML");
    assertThat(problems("name: x\ntables:\n  - {name: t, software: {units: 5}}"))
        .containsExactly(
            "mine:1:1: softwarePath: missing, but a table has software; add softwarePath");
    assertThat(
            problems(
                "name: x\nopenflow: \"1.0\"\ntables: [{name: a, hardware: {units: 1}},"
                    + " {name: b, hardware: {units: 1}}]"))
        .containsExactly("mine:3:9: tables: 2 tables; use 1 with OpenFlow 1.0, up to 254 with 1.3");
  }

  /** Lines of a good profile taken out, doubled, cut off and overwritten with garbage. */
  @ParameterizedTest
  @FieldSource("NAMES")
  void garbageIsReadOrRefusedWithReasons(String name) throws IOException {
    String good = text(name);
    Random random = new Random(7);
    for (int i = 0; i < 600; i++) {
      StringBuilder bad = new StringBuilder(good);
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        int at = random.nextInt(bad.length());
        int end = Math.min(bad.length(), at + random.nextInt(20));
        String noise = "{}[]:,-#\"'\n\t 019az\u0000\ud83d".substring(random.nextInt(18));
        bad.replace(at, end, random.nextBoolean() ? noise : "");
      }
      try {
        ProfileFile.parse("bad", bad.toString());
      } catch (ProfileException refused) {
        assertThat(refused.problems()).as(bad.toString()).isNotEmpty();
      }
    }
  }

  @Test
  void aProfileIsFoundByNameOrFile() throws IOException {
    Path file = directory.resolve("mine.yaml");
    Files.writeString(file, text("5700"));
    assertThat(ProfileFile.find("mine.yaml", directory).name()).isEqualTo("5700");
    assertThat(ProfileFile.find(file.toString(), Path.of("elsewhere")).name()).isEqualTo("5700");
    assertThatThrownBy(() -> ProfileFile.find("5701", directory))
        .isInstanceOf(IOException.class)
        .hasMessage("no profile 5701 among " + String.join(", ", NAMES));
    assertThatThrownBy(() -> ProfileFile.find("./none.yaml", directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.yaml:1:1: no such file");
    Files.write(file, new byte[ProfileFile.MAX_BYTES + 1]);
    assertThatThrownBy(() -> ProfileFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("larger");
  }

  @Test
  void whatIsWrongInAFixedTableIsNamed() {
    String text =
        """
        name: mine
        groups: [l3_ecmp]
        tables:
          - name: first
            id: 3
            hardware: {units: 4, allowed: [in_port]}
            fixed:
              kinds:
                - {name: one, required: [in_port], etherType: ipv6, apply: [teleport]}
              miss: {goto: 9}
          - {name: second, id: 5, fixed: {kinds: []}}
        """;
    assertThat(problems(text))
        .anySatisfy(each -> assertThat(each).contains("'l3_ecmp' is no type of groups"))
        .anySatisfy(each -> assertThat(each).contains("table 3 here; begin with 0"))
        .anySatisfy(each -> assertThat(each).contains("write it as 0x86dd"))
        .anySatisfy(each -> assertThat(each).contains("'teleport' is no action"))
        .anySatisfy(each -> assertThat(each).contains("fixed.miss: missing"))
        .anySatisfy(each -> assertThat(each).contains("leads to table 9"));
  }
}
