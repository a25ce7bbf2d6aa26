package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Requests there and back, cut short, garbled, and as they were in version 1. */
class RequestCodecTest {
  private static final Bytes KEY = Samples.KEY;

  @Test
  void everyCommandComesBackAsItWas() {
    assertThat(RequestDecoder.decode(RequestEncoder.encode(Samples.request())))
        .isEqualTo(Samples.request());
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = RequestEncoder.encode(Samples.request());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> RequestDecoder.decode(cut))
          .as("cut to " + length)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("at byte ");
    }
  }

  @Test
  void anythingBehindTheEndIsRefused() {
    byte[] whole = RequestEncoder.encode(Samples.request());
    assertThatThrownBy(() -> RequestDecoder.decode(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(CodecException.class)
        .hasMessage("at byte " + whole.length + ": expected the end, 1 bytes are left");
  }

  @Test
  void versionOneLooksLikeThis() {
    Request request =
        new Request(
            5,
            300,
            List.of(
                new Request.Operation(301, new Command.Put("t", Samples.KEY, Samples.VALUE)),
                new Request.Operation(302, new Command.Increment("t", Samples.KEY, -2))));
    assertThat(HexFormat.of().formatHex(RequestEncoder.encode(request)))
        .isEqualTo(
            "01" // version
                + "0000000000000005" // session
                + "ac02" // acknowledged below 300
                + "02" // operations
                + ("ad02" + "02" + "0174" + "0200ff" + "0576616c7565")
                + ("ae02" + "08" + "0174" + "0200ff" + "03"));
  }

  @Test
  void anotherVersionIsRefusedByName() {
    byte[] request = RequestEncoder.encode(new Request(1, 1, List.of()));
    request[0] = 2;
    assertThatThrownBy(() -> RequestDecoder.decode(request))
        .isInstanceOf(CodecException.class)
        .hasMessage("at byte 0: expected a request of version 1, found version 2, which is newer");
  }

  /** One more is a new version: a replica that lacks a command must not order with one that has. */
  @Test
  void versionOneHasTwentyOneCommands() {
    assertThat(RequestEncoder.VERSION).isEqualTo(1);
    assertThat(Command.class.getPermittedSubclasses()).hasSize(21);
  }

  @Test
  void rowsAndBatchesLookLikeThis() {
    Command.PutColumns put =
        new Command.PutColumns("t", Samples.KEY, Row.of(Map.of("b", Samples.VALUE, "a", KEY)));
    Request request =
        new Request(
            5,
            300,
            List.of(
                new Request.Operation(1, new Command.CreateTable("t", TableSpec.references("u"))),
                new Request.Operation(2, new Command.GetThrough("t", KEY, List.of("a", "b"))),
                new Request.Operation(
                    3,
                    new Command.Batch(
                        List.of(new Command.Guard("t", KEY, 2)),
                        List.of(put, new Command.GetColumns("t", KEY, List.of()))))));
    String row = "02" + ("0161" + "0200ff") + ("0162" + "0576616c7565");
    assertThat(HexFormat.of().formatHex(RequestEncoder.encode(request)))
        .isEqualTo(
            "01" // version
                + "0000000000000005" // session
                + "ac02" // acknowledged below 300
                + "03" // operations
                + ("01" + "0e" + "0174" + "04" + "0175")
                + ("02" + "0f" + "0174" + "0200ff" + "02" + "0161" + "0162")
                + ("03" + "14")
                + ("01" + "0174" + "0200ff" + "04") // guards
                + "02" // commands
                + ("11" + "0174" + "0200ff" + row)
                + ("10" + "0174" + "0200ff" + "00"));
  }

  @Test
  void unknownCommandMayBeOfANewerVersion() {
    byte[] request =
        new ByteWriter().int8(1).int64(1).varint(0).varint(1).int8(7).int8(99).toArray();
    assertThatThrownBy(() -> RequestDecoder.decode(request))
        .isInstanceOf(CodecException.class)
        .hasMessage(
            "at byte 12: expected the tag of a command, found 99, perhaps of a newer version");
  }

  @Test
  void batchWithinABatchIsNotRead() {
    Command inner = new Command.Batch(List.of(), List.of());
    Command outer = new Command.Batch(List.of(), List.of(inner));
    byte[] request =
        RequestEncoder.encode(new Request(1, 1, List.of(new Request.Operation(1, outer))));
    assertThatThrownBy(() -> RequestDecoder.decode(request))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("no batch within a batch");
  }

  @Test
  void rowWhoseColumnsDoNotAscendIsRefused() {
    ByteWriter out = new ByteWriter().int8(1).int64(1).varint(0).varint(1).int8(7);
    out.int8(RequestEncoder.PUT_COLUMNS).utf8("t").bytes(KEY);
    out.varint(2).utf8("b").bytes(KEY).utf8("a").bytes(KEY);
    assertThatThrownBy(() -> RequestDecoder.decode(out.toArray()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("a column's name that follows the one before, found a");
  }

  @Test
  void hugeCountIsRefusedBeforeAnythingIsAllocated() {
    byte[] request =
        new ByteWriter().int8(1).int64(1).varint(0).varint(Integer.MAX_VALUE).toArray();
    assertThatThrownBy(() -> RequestDecoder.decode(request)).isInstanceOf(CodecException.class);
    byte[] value = new ByteWriter().varint(Integer.MAX_VALUE).int8(1).toArray();
    assertThatThrownBy(() -> new ByteReader(value).bytes(Integer.MAX_VALUE))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("2147483647 bytes to follow, 1 left");
  }

  @Property(tries = 2_000)
  void garbageIsRefusedOrIsARequest(@ForAll byte[] garbage) {
    decodeOrRefuse(garbage);
  }

  @Property(tries = 2_000)
  void flippedByteIsRefusedOrIsARequest(@ForAll int position, @ForAll byte octet) {
    byte[] request = RequestEncoder.encode(Samples.request());
    request[Math.floorMod(position, request.length)] = octet;
    decodeOrRefuse(request);
  }

  private static void decodeOrRefuse(byte[] input) {
    try {
      Request request = RequestDecoder.decode(input);
      assertThat(RequestDecoder.decode(RequestEncoder.encode(request))).isEqualTo(request);
    } catch (CodecException refused) {
      assertThat(refused.offset()).isBetween(0L, (long) input.length);
    }
  }
}
