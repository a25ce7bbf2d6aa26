package io.lockstep.dataplane.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the model reads in frames, beside what Open vSwitch's own parser reads in them. */
@Timeout(60)
class OvsParserIT {
  private static final String TOOL = "ovs-ofctl";
  private static final Pattern VALUE = Pattern.compile("([a-z0-9_]+)=([^,]+)");

  @TempDir Path directory;

  @Test
  void fieldsAreThoseOfOpenVSwitch() throws Exception {
    assumeTrue(isInstalled(), TOOL + " is not installed; apt-get install openvswitch-common");
    List<byte[]> frames =
        List.of(
            SampleFrames.ieee8023(),
            SampleFrames.ieee8023(0x42, 0x42, 3),
            SampleFrames.ieee8023(0xaa, 0xaa, 3, 0, 0, 0, 0x05, 0xff),
            SampleFrames.snap(SampleFrames.udp(1000, 53), 0),
            SampleFrames.snap(SampleFrames.udp(1000, 53), 0x0c),
            SampleFrames.tagged(SampleFrames.snap(SampleFrames.udp(1000, 53), 0), 7, 2),
            SampleFrames.mpls(),
            SampleFrames.sctp(1000, 2905),
            SampleFrames.neighbour(135),
            SampleFrames.neighbour(136),
            SampleFrames.icmp6());
    List<String> flows = parse(frames);
    assertThat(flows).hasSameSizeAs(frames);
    for (int i = 0; i < frames.size(); i++) {
      Map<String, String> theirs = fields(flows.get(i));
      Map<String, String> ours = fields(new Packet(frames.get(i), 1));
      theirs.keySet().retainAll(NAMES.keySet());
      assertThat(ours).as(flows.get(i)).isEqualTo(theirs);
    }
  }

  /** How Open vSwitch names the fields, where it writes them as numbers. */
  private static final Map<String, OxmField> NAMES =
      Map.of(
          "mpls_label", OxmField.MPLS_LABEL,
          "mpls_tc", OxmField.MPLS_TC,
          "mpls_bos", OxmField.MPLS_BOS,
          "ipv6_label", OxmField.IPV6_FLABEL,
          "nd_target", OxmField.IPV6_ND_TARGET,
          "nd_sll", OxmField.IPV6_ND_SLL,
          "nd_tll", OxmField.IPV6_ND_TLL,
          "dl_type", OxmField.ETH_TYPE,
          "tp_src", OxmField.UDP_SRC,
          "tp_dst", OxmField.UDP_DST);

  private static Map<String, String> fields(String flow) {
    Map<String, String> fields = new HashMap<>();
    Matcher values = VALUE.matcher(flow);
    while (values.find()) {
      fields.put(values.group(1), values.group(2));
    }
    // Types that have a name stand at the beginning.
    Map<String, String> types =
        Map.of("udp", "0x0800", "sctp", "0x0800", "icmp6", "0x86dd", "mpls", "0x8847");
    String type = types.get(flow.substring(0, flow.indexOf(',')));
    if (type != null) {
      fields.put("dl_type", type);
    }
    // Types and codes of ICMPv6 go by the names of ports before Open vSwitch 3.
    if (flow.startsWith("icmp6")) {
      fields.remove("tp_src");
      fields.remove("tp_dst");
    }
    // Zero stands for a link-layer address that the message does not carry.
    fields.values().removeIf("00:00:00:00:00:00"::equals);
    return fields;
  }

  private static Map<String, String> fields(Packet packet) {
    Map<String, String> fields = new HashMap<>();
    NAMES.forEach(
        (name, field) -> {
          if (packet.has(field)) {
            fields.put(name, text(packet, field));
          }
        });
    if (packet.has(OxmField.SCTP_SRC)) {
      fields.put("tp_src", Long.toString(packet.get(OxmField.SCTP_SRC)));
      fields.put("tp_dst", Long.toString(packet.get(OxmField.SCTP_DST)));
    }
    return fields;
  }

  private static String text(Packet packet, OxmField field) {
    long value = packet.get(field);
    return switch (field) {
      case ETH_TYPE -> String.format("0x%04x", value);
      case IPV6_FLABEL -> String.format("0x%05x", value);
      case IPV6_ND_TARGET -> "fd00::" + packet.slot(field.slot() + 1);
      case IPV6_ND_SLL, IPV6_ND_TLL -> new Mac(value).toString();
      default -> Long.toString(value);
    };
  }

  private static boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(path)
        .anyMatch(place -> Files.isExecutable(Path.of(place, TOOL)));
  }

  private List<String> parse(List<byte[]> frames) throws IOException, InterruptedException {
    Path file = directory.resolve("frames.pcap");
    Files.write(file, pcap(frames));
    Process process =
        new ProcessBuilder(TOOL, "parse-pcap", file.toString()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return new ArrayList<>(text.lines().toList());
  }

  private static byte[] pcap(List<byte[]> frames) {
    int size = frames.stream().mapToInt(frame -> 16 + frame.length).sum();
    ByteBuffer out = ByteBuffer.allocate(24 + size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
    out.putInt(0).putInt(0).putInt(65_535).putInt(1);
    for (byte[] frame : frames) {
      out.putInt(0).putInt(0).putInt(frame.length).putInt(frame.length).put(frame);
    }
    return out.array();
  }
}
