import '../b/b.ts';
import '../../utils/u.ts';
