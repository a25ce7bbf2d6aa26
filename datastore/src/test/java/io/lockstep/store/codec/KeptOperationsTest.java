package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Command;
import io.lockstep.store.KeptForms;
import io.lockstep.store.Reply;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every operation and every reply is written as it was, and what was written is read. */
class KeptOperationsTest {
  private static String name(int number, Object form) {
    return String.format("%02d-%s", number, form.getClass().getSimpleName());
  }

  private static byte[] request(Command command) {
    return RequestEncoder.encode(new Request(7, 5, List.of(new Request.Operation(1_000, command))));
  }

  private static byte[] response(Reply reply) {
    return ResponseEncoder.encode(new Response(Response.Status.OK, "", List.of(reply)));
  }

  @Test
  void requests() throws IOException {
    Map<String, byte[]> todays = new LinkedHashMap<>();
    for (Command command : Samples.COMMANDS) {
      todays.put(name(todays.size(), command), request(command));
    }
    KeptForms kept = KeptForms.of("requests");
    kept.areThoseOf(todays);
    int number = 0;
    for (Command command : Samples.COMMANDS) {
      Request read = RequestDecoder.decode(kept.bytesOf(name(number++, command)), 1);
      assertThat(read.operations().get(0).command()).isEqualTo(command);
      assertThat(read.sessionId()).isEqualTo(7);
    }
  }

  @Test
  void replies() throws IOException {
    Map<String, byte[]> todays = new LinkedHashMap<>();
    for (Reply reply : Samples.REPLIES) {
      todays.put(name(todays.size(), reply), response(reply));
    }
    KeptForms kept = KeptForms.of("replies");
    kept.areThoseOf(todays);
    int number = 0;
    for (Reply reply : Samples.REPLIES) {
      assertThat(ResponseDecoder.decode(kept.bytesOf(name(number++, reply))).replies())
          .containsExactly(reply);
    }
  }
}
