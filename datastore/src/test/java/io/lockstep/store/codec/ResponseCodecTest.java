package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Responses there and back, cut short, garbled, and as they were in version 1. */
class ResponseCodecTest {

  @Test
  void everyReplyComesBackAsItWas() {
    assertThat(ResponseDecoder.decode(ResponseEncoder.encode(Samples.response())))
        .isEqualTo(Samples.response());
    Response ok = new Response(Response.Status.OK, "", Samples.REPLIES);
    assertThat(ResponseDecoder.decode(ResponseEncoder.encode(ok))).isEqualTo(ok);
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = ResponseEncoder.encode(Samples.response());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ResponseDecoder.decode(cut))
          .as("cut to " + length)
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void versionOneLooksLikeThis() {
    Response response =
        new Response(
            Response.Status.OK,
            "",
            List.of(
                new Reply.Applied(300),
                new Reply.Found(Bytes.utf8("v"), 2),
                new Reply.Rejected(Reply.Reason.SESSION_ENDED, "x")));
    assertThat(HexFormat.of().formatHex(ResponseEncoder.encode(response)))
        .isEqualTo("01" + "00" + "03" + "03ac02" + "01017602" + "0b040178");
  }

  @Test
  void rowsAndBatchesLookLikeThis() {
    Row row = Row.of(Map.of("a", Bytes.utf8("v")));
    Response response =
        new Response(
            Response.Status.OK,
            "",
            List.of(
                new Reply.Resolved(List.of(new Entry(Bytes.utf8("k"), Bytes.utf8("v"), 3))),
                new Reply.Columns(row, 2),
                new Reply.Batched(List.of(new Reply.Applied(4), new Reply.Absent()), 4),
                new Reply.BatchRefused(1, new Reply.Absent())));
    assertThat(HexFormat.of().formatHex(ResponseEncoder.encode(response)))
        .isEqualTo(
            ("01" + "00" + "04")
                + ("0d" + "01" + "016b" + "0176" + "03")
                + ("0e" + "01" + "0161" + "0176" + "02")
                + ("0f" + "02" + "0304" + "02" + "04")
                + ("10" + "01" + "02"));
  }

  @Test
  void replyToABatchWithinOneIsRefused() {
    Reply inner = new Reply.Batched(List.of(), 1);
    byte[] response =
        ResponseEncoder.encode(
            new Response(Response.Status.OK, "", List.of(new Reply.BatchRefused(0, inner))));
    assertThatThrownBy(() -> ResponseDecoder.decode(response)).isInstanceOf(CodecException.class);
  }

  @Property(tries = 2_000)
  void garbageIsRefusedOrIsAResponse(@ForAll byte[] garbage) {
    decodeOrRefuse(garbage);
  }

  @Property(tries = 2_000)
  void flippedByteIsRefusedOrIsAResponse(@ForAll int position, @ForAll byte octet) {
    byte[] response = ResponseEncoder.encode(Samples.response());
    response[Math.floorMod(position, response.length)] = octet;
    decodeOrRefuse(response);
  }

  private static void decodeOrRefuse(byte[] input) {
    try {
      Response response = ResponseDecoder.decode(input);
      assertThat(ResponseDecoder.decode(ResponseEncoder.encode(response))).isEqualTo(response);
    } catch (CodecException refused) {
      assertThat(refused.offset()).isBetween(0L, (long) input.length);
    }
  }
}
