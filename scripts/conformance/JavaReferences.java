import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

/** Reads lines with a base, a tab and a reference, and prints the results of java.net.URI: normalize() of the reference,
* resolve() and relativize(), each as toString() prints it; "invalid" for each if the class rejects the base or the reference. */
public final class JavaReferences {
    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] pair = line.split("\t", -1);
            try {
                URI base = new URI(pair[0]);
                URI reference = new URI(pair[1]);
                out.print(reference.normalize() + "\t" + base.resolve(reference) + "\t" + base.relativize(reference) + "\n");
            } catch (URISyntaxException | NumberFormatException refused) {
                out.print("invalid\tinvalid\tinvalid\n");
            }
        }
        out.flush();
    }
}
