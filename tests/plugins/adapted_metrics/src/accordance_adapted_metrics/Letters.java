import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates captions by their number of characters, as the line spells them, at most 1,000. */
public class Letters {
    private static final Pattern LINE = Pattern.compile("\\{\"id\": (\\d+), \"candidate\": \"((?:[^\"\\\\]|\\\\.)*)\".*");

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Matcher found = LINE.matcher(line);
            if (!found.matches()) {
                throw new IllegalArgumentException("not a question: " + line);
            }
            String candidate = found.group(2).replaceAll("\\\\u[0-9a-f]{4}|\\\\.", "_");
            int score = Math.min(candidate.length(), 1000);
            System.out.println("{\"id\": " + found.group(1) + ", \"score\": " + score + "}");
        }
    }
}
